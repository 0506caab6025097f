#version 460
// The occupied nodes at a level, and the childless ones above it. Where a node is, the way up to the
// root tells, so all levels take one dispatch: a thread for each block.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "key.glsl"
#include "pool.glsl"
#include "status.glsl"

uniform Params {
    vec3 center;
    float half_edge; // of the root
    uint level;
    uint threshold; // alpha of what is not occupied, at most
    uint blocks;    // of the pool
    uint room;      // voxels
} params;

readonly buffer Nodes { uvec2 values[]; } nodes;
readonly buffer Blocks { uint parents[]; } blocks;
readonly buffer TreeCounts { TreeStatus elements[]; } tree_counts;
writeonly buffer Places { vec4 values[]; } places; // center, half an edge
writeonly buffer Colors { uint values[]; } colors;
layout(constant_id = 0) const uint kOrders = 0u;
writeonly buffer Keys { uint words[]; } keys; // of the first leaf in a voxel, for who sorts them
buffer Found { uint count; } found;

shared uint group_count;
shared uint group_first;

// Level of the block's nodes, and the cell at the level above that they are in; level 0 where the
// block is not in the tree.
uvec4 place_of(uint block) {
    uvec3 cell = uvec3(0u);
    uint level = 1u;
    for (uint up = 0u; up < kDepth; ++up) {
        if (block == 0u) return uvec4(cell, level);
        uint parent = blocks.parents[block];
        if (parent == kNoNode) break;
        uint word = nodes.values[parent].x;
        if ((word & kHasChildren) == 0u || (word & kFirstChild) != 8u * block) break;
        cell |= (uvec3(parent) >> uvec3(0u, 1u, 2u) & 1u) << up;
        block = parent / 8u;
        ++level;
    }
    return uvec4(0u);
}

bool is_shown(uint node, uint level) {
    uvec2 words = nodes.values[node];
    bool ends = level == params.level || (words.x & kHasChildren) == 0u;
    return ends && words.y >> 24u > params.threshold;
}

void store_key(uint at, uvec2 key) {
    keys.words[kKeyWords * at] = key.x;
    if (kKeyWords == 2u) keys.words[2u * at + 1u] = key.y;
}

void main() {
    uint block = invocation_index();
    uvec4 place = uvec4(0u);
    if (block < min(tree_counts.elements[0].blocks, params.blocks)) place = place_of(block);
    if (gl_LocalInvocationIndex == 0u) group_count = 0u;
    barrier();
    uint shown = 0u;
    if (place.w != 0u && place.w <= params.level)
        for (uint i = 0u; i < 8u; ++i)
            if (is_shown(8u * block + i, place.w)) shown |= 1u << i;
    uint own = 0u;
    if (shown != 0u) own = atomicAdd(group_count, uint(bitCount(shown)));
    barrier();
    if (gl_LocalInvocationIndex == 0u && group_count != 0u)
        group_first = atomicAdd(found.count, group_count);
    barrier();
    uint at = group_first + own;
    float edge = 2.0 * params.half_edge / float(1u << place.w);
    for (uint i = 0u; i < 8u; ++i) {
        if ((shown >> i & 1u) == 0u) continue;
        if (at < params.room) {
            uvec3 cell = place.xyz * 2u + (uvec3(i) >> uvec3(0u, 1u, 2u) & 1u);
            vec3 middle = params.center - params.half_edge + (vec3(cell) + 0.5) * edge;
            places.values[at] = vec4(middle, 0.5 * edge);
            colors.values[at] = nodes.values[8u * block + i].y;
            if (kOrders != 0u) store_key(at, key_of(cell << kDepth - place.w));
        }
        ++at;
    }
}
