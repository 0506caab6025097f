#version 460
// Claims the bricks that points lie in.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "sparse/claim.glsl"

uniform Params { uint count; } params;

readonly buffer Points { vec4 elements[]; } points; // cells

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    vec3 point = points.elements[i].xyz;
    bool inside = all(greaterThanEqual(point, vec3(0.0))) && all(lessThan(point, vec3(kDomain)));
    if (inside) claim_brick(brick_number(ivec3(point) / kBrick), kPendingBrick);
}
