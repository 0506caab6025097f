#version 460
// Claims the bricks of smoke in which something is before the first step: a group a brick.
// WEIGHTS: bricks weigh what dye they have, as in sparse_content.comp.
//! variants WEIGHTS=0,1

layout(local_size_x = 64) in;
layout(constant_id = 1) const uint has_initial_velocity = 0u;
layout(constant_id = 2) const uint has_initial_dye = 0u;

#include "invocation.glsl"
#if WEIGHTS
#include "sparse/claim_weights.glsl"
#include "sparse_content.glsl"
#else
#include "sparse/claim.glsl"
#endif

uniform Params {
    uint reset;
    ivec3 low; // bricks that are looked at
    ivec3 high; // excluded
} params;

readonly buffer Age { uint words[]; } age;
readonly buffer InitialVelocity { vec4 cells[]; } initial_velocity;
readonly buffer InitialDye { vec4 cells[]; } initial_dye;

shared uint found;
#if WEIGHTS
shared float sums[64];
#endif

void main() {
    uint number = group_index();
    uint bricks = uint(kBrickGrid.x) * uint(kBrickGrid.y) * uint(kBrickGrid.z);
    if (number >= bricks || (age.words[0] != 0u && params.reset == 0u)) return;
    ivec3 brick = brick_at(number);
    if (any(lessThan(brick, params.low)) || any(greaterThanEqual(brick, params.high))) return;
    if (gl_LocalInvocationIndex == 0u) found = 0u;
#if WEIGHTS
    float content = 0.0;
#endif
    barrier();
    ivec3 origin = brick * kBrick;
    for (uint i = gl_LocalInvocationIndex; i < kBrickCells; i += 64u) {
        ivec3 cell = origin + cell_of_brick(i);
        if (!is_in_domain(cell)) continue;
        uint at = uint((cell.z * kDomainY + cell.y) * kDomainX + cell.x);
        bool some = false;
        if (has_initial_velocity != 0u) some = initial_velocity.cells[at].xyz != vec3(0.0);
        if (has_initial_dye != 0u) some = some || initial_dye.cells[at] != vec4(0.0);
        if (some) found = 1u;
#if WEIGHTS
        if (has_initial_dye != 0u) content += content_of(initial_dye.cells[at]);
#endif
    }
#if WEIGHTS
    sums[gl_LocalInvocationIndex] = content;
#endif
    barrier();
    if (gl_LocalInvocationIndex > 0u || found == 0u) return;
#if WEIGHTS
    for (uint i = 1u; i < 64u; ++i)
        content += sums[i];
    claim_weighed(number, kPendingBrick, weight_of_content(content));
#else
    claim_brick(number, kPendingBrick);
#endif
}
