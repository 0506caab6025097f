#version 460
// Claims the bricks that points lie in. WEIGHTS: that weigh something.
//! variants WEIGHTS=0,1

layout(local_size_x = 256) in;

#include "invocation.glsl"
#if WEIGHTS
#include "sparse/claim_weights.glsl"
#else
#include "sparse/claim.glsl"
#endif

uniform Params {
    uint count;
    uint weight;
} params;

readonly buffer Points { vec4 elements[]; } points; // cells

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    vec3 point = points.elements[i].xyz;
    bool inside = all(greaterThanEqual(point, vec3(0.0))) && all(lessThan(point, vec3(kDomain)));
    if (!inside) return;
    uint number = brick_number(ivec3(point) / kBrick);
#if WEIGHTS
    claim_weighed(number, kPendingBrick, params.weight);
#else
    claim_brick(number, kPendingBrick);
#endif
}
