#version 460
// A record that is split becomes four: child k has corner k and the middles of its edges, child 3 the
// three middles.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "middle.glsl"
#include "record.glsl"
#include "rules.glsl"

readonly buffer Step { LevelStep value; } step_of_level;
readonly buffer Verdicts { uint values[]; } verdicts;
readonly buffer SplitBefore { uint values[]; } split_before;
writeonly buffer NextHeads { uvec4 elements[]; } next_heads;
writeonly buffer NextLinks { uvec4 elements[]; } next_links;
writeonly buffer NextPoints { uvec4 elements[]; } next_points;
writeonly buffer Sources { uint values[]; } sources; // of new vertices

uniform Params {
    uint room;
    uint next_room;
} params;

void put(uint child, uint slot, vec3 position, uint word) {
    next_points.elements[slot * params.next_room + child] = uvec4(floatBitsToUint(position), word);
}

// The point on the edge to neighbour `k` of a corner.
vec3 point_on(Record record, uint corner, uint k) {
    uint valence = record.valence[corner];
    Spoke spoke = spoke_of(record, corner, k);
    vec3 before = spoke_of(record, corner, k == 0u ? valence - 1u : k - 1u).position;
    vec3 after = spoke_of(record, corner, k + 1u == valence ? 0u : k + 1u).position;
    return edge_point(corner_of(record, corner), spoke.position, before, after, spoke.sharpness);
}

vec3 moved_corner(Record record, uint corner) {
    vec3 vertex = corner_of(record, corner);
    if (is_fixed(record, corner)) return vertex;
    VertexSums sums = VertexSums(vec3(0.0), vec3(0.0), vec3(0.0), 0u, 0u, 0u, 0u);
    for (uint k = 0u; k < record.valence[corner]; ++k) {
        Spoke spoke = spoke_of(record, corner, k);
        add_to(sums, spoke.position, spoke.sharpness);
    }
    return vertex_point(vertex, record.valence[corner], sums);
}

// What half of an edge is linked to, at its first or its second corner.
uint link_of_half(uint link, bool at_second) {
    if (link == kLinkBoundary || link == kLinkCoarser) return link;
    uint other = link >> 2;
    if (verdicts.values[other] == 0u) return kLinkCoarser;
    // The neighbour goes along the edge the other way: its first corner is our second one. A child's edge
    // 0 leaves its corner, its edge 2 comes back to it.
    uint edge = link & 3u;
    uint child = at_second ? edge : following(edge);
    return 4u * (4u * split_before.values[other] + child) + (at_second ? 0u : 2u);
}

void main() {
    uint i = invocation_index();
    LevelStep step_now = step_of_level.value;
    if (step_now.split == 0u || i >= step_now.records || verdicts.values[i] == 0u) return;
    Record record = record_at(i, params.room);
    uvec4 link = links.elements[i];
    uint first_child = 4u * split_before.values[i];
    if (first_child + 3u >= params.next_room) return; // never: the level would not be split

    vec3 corner[3];
    vec3 middle[3];
    uint sharpness[3]; // of half an edge
    uint vertex[3];
    for (uint k = 0u; k < 3u; ++k) {
        corner[k] = moved_corner(record, k);
        middle[k] = point_on(record, k, 0u);
        sharpness[k] = decayed(edge_sharpness(record, k));
        vertex[k] = middle_of(i, k, step_now.first_vertex);
        if ((marks.values[i] >> k & 1u) != 0u)
            sources.values[vertex[k] - step_now.first_vertex] = 4u * (first_child + 3u) + k;
    }
    uvec3 boundary = uvec3(equal(link.xyz, uvec3(kLinkBoundary)));

    uint centre = first_child + 3u;
    for (uint k = 0u; k < 3u; ++k) {
        uint y = following(k);
        uint z = following(y);
        uint child = first_child + k;
        uint valence = record.valence[k];
        put(child, 0u, corner[k], sharpness[k]);
        put(child, 1u, middle[k], 0u);
        put(child, 2u, middle[z], sharpness[z]);
        for (uint n = 2u; n < valence; ++n)
            put(child, 1u + n, point_on(record, k, n), decayed(spoke_of(record, k, n).sharpness));
        vec3 beside_y = point_on(record, y, 2u);
        vec3 beside_z = point_on(record, z, record.valence[z] - 1u);
        put(child, valence + 1u, beside_y, 0u);
        put(child, valence + 2u, corner[y], sharpness[k] << 10);
        put(child, valence + 3u, middle[y], 0u);
        put(child, valence + 4u, corner[z], sharpness[z] << 20);
        put(child, valence + 5u, beside_z, 0u);
        next_heads.elements[child] =
            uvec4(head_word(uvec3(valence, 6u, 6u), uvec3(is_fixed(record, k) ? 1u : 0u, 0u, 0u),
                            uvec3(is_at_boundary(record, k) ? 1u : 0u, boundary[k], boundary[z])),
                  record.vertices[k], vertex[k], vertex[z]);
        next_links.elements[child] = uvec4(link_of_half(link[k], false), 4u * centre + z,
                                           link_of_half(link[z], true), link.w);

        // Of the centre: what lies across from the edge between middles z and k, and beside middle k.
        put(centre, k, middle[k], 0u);
        uint first = 3u + 3u * k;
        put(centre, first, corner[k], sharpness[k] << (10u * k) | sharpness[z] << (10u * z));
        put(centre, first + 1u, point_on(record, k, valence - 1u), 0u);
        put(centre, first + 2u, beside_y, 0u);
    }
    next_heads.elements[centre] =
        uvec4(head_word(uvec3(6u), uvec3(0u), boundary), vertex[0], vertex[1], vertex[2]);
    next_links.elements[centre] = uvec4(4u * (first_child + 1u) + 1u, 4u * (first_child + 2u) + 1u,
                                        4u * first_child + 1u, link.w);
}
