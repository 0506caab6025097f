#version 460
// Begins the paths of another sample; what those before have found stays.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "primary.glsl"

buffer Paths { vec4 quads[]; } paths;

void main() {
    uint slot = invocation_index();
    if (slot >= params.slots) return;
    store_path_ray(slot, start_ray(slot));
    paths.quads[2u * slot] = vec4(vec3(1.0), kCertain);
}
