#version 460
// Claims the bricks that boxes of cells overlap: a group a box. WEIGHTS: that weigh something.
//! variants WEIGHTS=0,1

layout(local_size_x = 64) in;

#if WEIGHTS
#include "sparse/claim_weights.glsl"
#else
#include "sparse/claim.glsl"
#endif

uniform Params {
    ivec4 low[16];  // cells
    ivec4 high[16]; // excluded
    uint weight;
} params;

void main() {
    ivec3 low = max(params.low[gl_WorkGroupID.x].xyz, ivec3(0));
    ivec3 high = min(params.high[gl_WorkGroupID.x].xyz, kDomain);
    if (any(greaterThanEqual(low, high))) return;
    ivec3 first = low / kBrick;
    ivec3 size = (high - 1) / kBrick - first + 1;
    uint count = uint(size.x) * uint(size.y) * uint(size.z);
    for (uint i = gl_LocalInvocationIndex; i < count; i += 64u) {
        uint row = i / uint(size.x);
        ivec3 brick = first + ivec3(i % uint(size.x), row % uint(size.y), row / uint(size.y));
#if WEIGHTS
        claim_weighed(brick_number(brick), kPendingBrick, params.weight);
#else
        claim_brick(brick_number(brick), kPendingBrick);
#endif
    }
}
