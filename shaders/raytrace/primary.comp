#version 460
// Rays through the pixels of a picture.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "primary.glsl"

void main() {
    uint slot = invocation_index();
    if (slot >= params.slots) return;
    store_ray(slot, start_ray(slot));
}
