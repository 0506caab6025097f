#version 460
// Places of eyes that are not finite are replaced by the last ones that were.

layout(local_size_x = 64) in;

#include "invocation.glsl"

readonly buffer Given { vec4 values[]; } given;   // x, y, z of the world
readonly buffer Before { vec4 values[]; } before; // `eyes` of the frame before
writeonly buffer Eyes { vec4 values[]; } eyes;    // w 1; 0: there is no eye
buffer EyeStatus { uint bad; } eye_status;

uniform Params { uint count; } params;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    vec3 place = given.values[i].xyz;
    bool finite = !any(isnan(place)) && !any(isinf(place));
    if (!finite) atomicAdd(eye_status.bad, 1u);
    eyes.values[i] = finite ? vec4(place, 1.0) : before.values[i];
}
