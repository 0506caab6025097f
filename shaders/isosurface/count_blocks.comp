#version 460
//! variants FIELD=0,1,2,3 DUAL=0,1
// How many vertices and triangles each block has that the surface goes through, and what its points
// are. Blocks without room are counted, too.

layout(local_size_x = 256) in;

#include "block.glsl"
#include "invocation.glsl"
#include "slots.glsl"

readonly buffer UsedBlocks { uint numbers[]; } used_blocks;
readonly buffer UsedCount { uint words[]; } used_count;
#if FIELD != 3
readonly buffer Status { uint words[]; } surface_status; // SurfaceStatus in status.glsl
#endif
writeonly buffer SlotVertices { uint counts[]; } slot_vertices;
writeonly buffer SlotTriangles { uint counts[]; } slot_triangles;
buffer BlockSlots { uint slots[]; } block_slots;
writeonly buffer PointWords { uint words[]; } point_words;

shared uint triangles;

void main() {
    uint slot = group_index();
    if (slot >= used_count.words[0]) return;
    uint number = used_blocks.numbers[slot];
    ivec3 block = block_of(number, lattice());
    uint lane = gl_LocalInvocationIndex;
    if (lane == 0u) triangles = 0u;
#if FIELD == 3
    const bool all_numbers = false; // nobody counts the cells that are not known
#else
    const uint kNotFinite = 4u;
    bool all_numbers = surface_status.words[kNotFinite] == 0u;
#endif
    load_tile(block);
    PointWord words[kColumn];
    uint own_vertices = 0u;
    uint own_triangles = 0u;
    for (uint z = 0u; z < kColumn; ++z) {
        Owned owned = owned_by(block, column() + ivec3(0, 0, z), all_numbers);
        words[z] = PointWord(own_vertices, owned.edges, owned.cell.inside, owned.cell.joined);
        own_vertices += owned.vertices;
        own_triangles += owned.triangles;
    }
    if (own_triangles != 0u) atomicAdd(triangles, own_triangles);
    uint before = exclusive_scan(own_vertices); // and a barrier
    for (uint z = 0u; z < kColumn && slot < params.block_room; ++z) {
        words[z].first += before;
        point_words.words[slot * kBlockPoints + z * kGroup + lane] = packed_word(words[z]);
    }
    if (lane != kGroup - 1u) return;
    slot_vertices.counts[slot] = before + own_vertices;
    slot_triangles.counts[slot] = triangles;
    if (slot < params.block_room) block_slots.slots[number] = slot;
}
