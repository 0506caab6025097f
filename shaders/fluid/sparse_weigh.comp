#version 460
// How much the bricks weigh that the next step of smoke claims: what they have, and those that are not
// there yet a share of what the fullest of those around them has.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "sparse/map.glsl"
#include "sparse_content.glsl"

readonly buffer ClaimList {
    uint count;
    uint unused[3];
    uvec2 entries[]; // number and slot word
} claim_list;
readonly buffer Content { float sums[]; } content; // by slot
writeonly buffer Weights { uint words[]; } weights; // by place in the list

const float kNewShare = 0.25;

void main() {
    uint i = invocation_index();
    if (i >= min(claim_list.count, min(claim_list.entries.length(), weights.words.length()))) return;
    uvec2 entry = claim_list.entries[i];
    if (is_active(entry.y)) {
        weights.words[i] = weight_of_content(content.sums[slot_of(entry.y)]);
        return;
    }
    float most = 0.0;
    for (int n = 0; n < 27; ++n) {
        ivec3 brick = brick_at(entry.x) + ivec3(n % 3, n / 3 % 3, n / 9) - 1;
        uint word = is_in_grid(brick) ? find_brick(brick_number(brick)) : kNoBrick;
        if (is_active(word)) most = max(most, content.sums[slot_of(word)]);
    }
    weights.words[i] = weight_of_content(kNewShare * most);
}
