#version 460
//! variants FIELD=0,1,2,3 DUAL=0,1
// Writes the vertices of each block that the surface goes through, a group a block.

layout(local_size_x = 256) in;

#include "blocks.glsl"
#include "crossing.glsl"
#include "invocation.glsl"
#include "sharp_vertex.glsl"
#include "slots.glsl"

readonly buffer UsedBlocks { uint numbers[]; } used_blocks;
readonly buffer UsedCount { uint words[]; } used_count;
readonly buffer FirstVertices { uint numbers[]; } first_vertices;
readonly buffer PointWords { uint words[]; } point_words;
writeonly buffer Positions { float numbers[]; } positions;
writeonly buffer Normals { float numbers[]; } normals;

void write_vertex(uint vertex, vec3 place, vec3 normal) {
    if (vertex >= params.vertex_room) return;
    for (int i = 0; i < 3; ++i) {
        positions.numbers[3u * vertex + uint(i)] = place[i];
        normals.numbers[3u * vertex + uint(i)] = normal[i];
    }
}

#if DUAL
// The crossed edges of a loop, a bit each.
uint edges_of(uint inside, uvec2 entry, uint loop) {
    uint edges = 0u;
    for (uint edge = 0u; edge < 12u; ++edge) {
        uint from = edge_corner(edge);
        uint to = from | 1u << (edge >> 2);
        bool is_crossed = ((inside >> from ^ inside >> to) & 1u) != 0u;
        if (is_crossed && loop_of(entry, edge) == loop) edges |= 1u << edge;
    }
    return edges;
}

bool has_vertices(PointWord word) {
    return word.inside != 0u && word.inside != 255u;
}

// A vertex for each loop of the cell.
void write_vertices(PointWord word, uvec2 entry, ivec3 point, uint first) {
    for (uint loop = 0u; loop < loops_of(entry); ++loop) {
        Quadric planes = no_planes(); // in steps of the lattice, where cells are cubes
        for (uint edges = edges_of(word.inside, entry, loop); edges != 0u; edges &= edges - 1u) {
            uint edge = uint(findLSB(edges));
            uint from = edge_corner(edge);
            SurfacePoint at = sharp_crossing(point + corner_step(from), edge >> 2);
            add_plane(planes, vec3(corner_step(from)) + at.place,
                      unit_or(at.normal * texel_step(), at.normal));
        }
        vec3 inner = clamp(nearest_point(planes), 0.0, 1.0);
        vec3 normal = unit_or(planes.normals / texel_step(), vec3(0.0, 0.0, 1.0));
        write_vertex(first + loop, place_of(vec3(point) + inner), normal);
    }
}
#else
bool has_vertices(PointWord word) {
    return word.edges != 0u || centres_of(cell_case(word.inside, word.joined)) != 0u;
}

// A vertex on each crossed edge, and where a loop needs it one in the middle of the cell's.
void write_vertices(PointWord word, uvec2 entry, ivec3 point, uint first) {
    uint written = 0u;
    for (uint axis = 0u; axis < 3u; ++axis) {
        if ((word.edges >> axis & 1u) == 0u) continue;
        SurfacePoint at = smooth_crossing(point, axis);
        write_vertex(first + written, at.place, at.normal);
        ++written;
    }
    if (centres_of(entry) == 0u) return;
    SurfacePoint at = middle_crossing(point, entry);
    write_vertex(first + written, at.place, at.normal);
}
#endif

void main() {
    uint slot = group_index();
    if (slot >= min(used_count.words[0], params.block_room)) return;
    ivec3 block = block_of(used_blocks.numbers[slot], lattice());
    uint first = first_vertices.numbers[slot];
    begin_list();
    for (uint z = 0u; z < kColumn; ++z) {
        uint at = z * kGroup + gl_LocalInvocationIndex;
        if (has_vertices(unpacked_word(point_words.words[slot * kBlockPoints + at])))
            list_point(at);
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < listed_count; i += kGroup) {
        uint at = listed[i];
        PointWord word = unpacked_word(point_words.words[slot * kBlockPoints + at]);
        write_vertices(word, cell_case(word.inside, word.joined), block * kBlock + within(at),
                       first + word.first);
    }
}
