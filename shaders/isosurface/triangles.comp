#version 460
//! variants DUAL=0,1
// Writes the triangles of each block that the surface goes through, a group a block.

layout(local_size_x = 256) in;

#include "blocks.glsl"
#include "cases.glsl"
#include "invocation.glsl"
#include "slots.glsl"

uniform Params {
    ivec3 lattice; // points
    uint vertex_room;
    uint triangle_room;
    uint block_room;
} params;

readonly buffer UsedBlocks { uint numbers[]; } used_blocks;
readonly buffer UsedCount { uint words[]; } used_count;
readonly buffer FirstVertices { uint numbers[]; } first_vertices;
readonly buffer FirstTriangles { uint numbers[]; } first_triangles;
readonly buffer BlockSlots { uint slots[]; } block_slots;
readonly buffer PointWords { uint words[]; } point_words;
readonly buffer Positions { float numbers[]; } positions;
writeonly buffer Indices { uint numbers[]; } indices;

const uint kNoSlot = 0xffffffffu;
const uint kNoVertex = 0xffffffffu;

ivec3 unit_step(uint axis) {
    return ivec3(equal(uvec3(axis), uvec3(0u, 1u, 2u)));
}

struct PointPlace {
    uint first; // vertex
    PointWord word;
    bool has_room;
};

PointPlace place_of(ivec3 point) {
    ivec3 block = point / kBlock;
    uint slot = block_slots.slots[block_number(block, params.lattice)];
    if (slot == kNoSlot) return PointPlace(0u, PointWord(0u, 0u, 0u, 0u), false);
    uvec3 inner = uvec3(point - block * kBlock);
    uint number = (inner.z * 8u + inner.y) * 32u + inner.x;
    PointWord word = unpacked_word(point_words.words[slot * kBlockPoints + number]);
    return PointPlace(first_vertices.numbers[slot] + word.first, word, true);
}

// A triangle with a vertex for which there was no room is none.
void write_triangle(uint triangle, uvec3 corners) {
    if (triangle >= params.triangle_room) return;
    if (any(greaterThanEqual(corners, uvec3(params.vertex_room)))) corners = uvec3(0u);
    for (int i = 0; i < 3; ++i)
        indices.numbers[3u * triangle + uint(i)] = corners[i];
}

#if DUAL
uint count_triangles(PointWord word) {
    return 2u * bitCount(word.edges);
}

vec3 position(uint vertex) {
    uint at = 3u * min(vertex, params.vertex_room - 1u);
    return vec3(positions.numbers[at], positions.numbers[at + 1u], positions.numbers[at + 2u]);
}

// The vertex of the loop that goes through an edge, of the cell that has the edge at `corner`.
uint loop_vertex(ivec3 cell, uint axis, uint corner) {
    PointPlace at = place_of(cell);
    uint low = corner & (1u << axis) - 1u;
    uint edge = axis << 2 | low | corner >> axis + 1u << axis;
    uint loop = loop_of(cell_case(at.word.inside, at.word.joined), edge);
    return at.has_room ? at.first + loop : kNoVertex;
}

// Two triangles around each edge, cut along the shorter diagonal.
void write_triangles(ivec3 point, PointWord word, uint first) {
    for (uint axis = 0u; axis < 3u; ++axis) {
        if ((word.edges >> axis & 1u) == 0u) continue;
        uint of_u = (axis + 1u) % 3u;
        uint of_v = (axis + 2u) % 3u;
        ivec3 u = unit_step(of_u);
        ivec3 v = unit_step(of_v);
        uvec4 quad = uvec4(loop_vertex(point, axis, 0u), loop_vertex(point - u, axis, 1u << of_u),
                           loop_vertex(point - u - v, axis, 1u << of_u | 1u << of_v),
                           loop_vertex(point - v, axis, 1u << of_v));
        if ((word.inside & 1u) == 0u) quad = quad.xwzy;
        float one = distance(position(quad.x), position(quad.z));
        float other = distance(position(quad.y), position(quad.w));
        if (other < one) quad = quad.yzwx;
        write_triangle(first, quad.xyz);
        write_triangle(first + 1u, quad.xzw);
        first += 2u;
    }
}
#else
uint count_triangles(PointWord word) {
    return triangles_of(cell_case(word.inside, word.joined));
}

ivec3 corner_step(uint corner) {
    return ivec3(corner & 1u, corner >> 1 & 1u, corner >> 2);
}

uint edge_vertex(ivec3 point, PointWord word, uint edge) {
    bool is_centre = edge == kCentre;
    uint axis = is_centre ? 3u : edge >> 2;
    uint low = edge & (1u << axis) - 1u & 3u;
    uint corner = is_centre ? 0u : low | (edge & 3u) - low << 1;
    PointPlace at = place_of(point + corner_step(corner));
    if (!at.has_room) return kNoVertex;
    return at.first + bitCount(at.word.edges & (1u << axis) - 1u);
}

void write_triangles(ivec3 point, PointWord word, uint first) {
    uvec2 entry = cell_case(word.inside, word.joined);
    for (uint i = 0u; i < triangles_of(entry); ++i) {
        uvec3 edges = case_triangle(entry, i);
        uvec3 corners;
        for (int k = 0; k < 3; ++k)
            corners[k] = edge_vertex(point, word, edges[k]);
        write_triangle(first + i, corners);
    }
}
#endif

void main() {
    uint slot = group_index();
    if (slot >= min(used_count.words[0], params.block_room)) return;
    ivec3 block = block_of(used_blocks.numbers[slot], params.lattice);
    uint lane = gl_LocalInvocationIndex;
    uint counts[kColumn];
    uint all = 0u;
    for (uint z = 0u; z < kColumn; ++z) {
        uint word = point_words.words[slot * kBlockPoints + z * kGroup + lane];
        counts[z] = count_triangles(unpacked_word(word));
        all += counts[z];
    }
    begin_list();
    uint before = exclusive_scan(all);
    for (uint z = 0u; z < kColumn; ++z) {
        if (counts[z] != 0u) list_point(before << 10 | z * kGroup + lane);
        before += counts[z];
    }
    barrier();
    uint first = first_triangles.numbers[slot];
    for (uint i = lane; i < listed_count; i += kGroup) {
        uint at = listed[i] & kBlockPoints - 1u;
        PointWord word = unpacked_word(point_words.words[slot * kBlockPoints + at]);
        write_triangles(block * kBlock + within(at), word, first + (listed[i] >> 10));
    }
}
