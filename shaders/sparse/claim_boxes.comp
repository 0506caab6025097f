#version 460
// Claims the bricks that boxes of cells overlap: a column of groups a box. WEIGHTS: that weigh something.
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
    uint now; // boxes whose bricks weigh that, and are pending; others weigh nothing, and are later
} params;

void main() {
    ivec3 low = max(params.low[gl_WorkGroupID.x].xyz, ivec3(0));
    ivec3 high = min(params.high[gl_WorkGroupID.x].xyz, kDomain);
    if (any(greaterThanEqual(low, high))) return;
    ivec3 first = low / kBrick;
    ivec3 size = (high - 1) / kBrick - first + 1;
    uint count = uint(size.x) * uint(size.y) * uint(size.z);
    bool now = gl_WorkGroupID.x < params.now;
    uint step_ = 64u * gl_NumWorkGroups.y;
    for (uint i = gl_WorkGroupID.y * 64u + gl_LocalInvocationIndex; i < count; i += step_) {
        uint row = i / uint(size.x);
        ivec3 brick = first + ivec3(i % uint(size.x), row % uint(size.y), row / uint(size.y));
#if WEIGHTS
        claim_weighed(brick_number(brick), kPendingBrick, now ? params.weight : 0u);
#else
        claim_brick(brick_number(brick), now ? kPendingBrick : kLaterBrick);
#endif
    }
}
