#version 460
// Copies bricks with the cells around them: a group a brick.

layout(local_size_x = 256) in;
layout(constant_id = 1) const uint kWords = 1u; // of a cell
layout(constant_id = 2) const int kWidth = 1;   // of the halo, cells

#include "sparse/walk.glsl"

readonly buffer Field { uint words[]; } field;
writeonly buffer Result { uint words[]; } result;

void main() {
    uint group = group_index();
    if (group >= brick_list.count) return;
    uvec2 entry = brick_list.entries[group];
    ivec3 origin = brick_at(entry.x) * kBrick;
    WalkedCell walked = WalkedCell(entry.x, entry.y, origin, ivec3(0), 0u, true);
    ivec3 size = ivec3(kBrickX + 2 * kWidth, kBrickY + 2 * kWidth, kBrickZ + 2 * kWidth);
    int count = size.x * size.y * size.z;
    for (int i = int(gl_LocalInvocationID.x); i < count; i += 256) {
        ivec3 local = ivec3(i % size.x, i / size.x % size.y, i / (size.x * size.y)) - kWidth;
        uint word = is_in_domain(origin + local) ? word_near(walked, local) : kNoBrick;
        uint to = slot_of(entry.y) * uint(count) + uint(i);
        uint from = is_active(word) ? index_near(word, local) : 0u;
        for (uint k = 0u; k < kWords; ++k)
            result.words[kWords * to + k] =
                is_active(word) ? field.words[kWords * from + k] : 0u;
    }
}
