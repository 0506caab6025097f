#version 460
// Joins the tiles that a group comes to, every so many groups one, into one accumulator. Which
// elements meet in which order depends on the length alone.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;

uniform Params {
    vec4 p;          // of the expression
    uint most;       // elements
    uint max_groups; // that share the tiles
} params;
#include "invocation.glsl"
#include "length.glsl"

readonly buffer Source { uvec4 quads[]; } source;
writeonly buffer Partials { uvec2 words[]; } partials; // code and index, one for each group
#include "reduce_body.glsl"

Accumulator joined_quad(Accumulator own, uvec4 quad, uint first) {
    vec4 p = params.p;
    Accumulator a = joined(of_element(quad.x, first), of_element(quad.y, first + 1u), p);
    Accumulator b = joined(of_element(quad.z, first + 2u), of_element(quad.w, first + 3u), p);
    return joined(own, joined(a, b, p), p);
}

void main() {
    uint end = element_count(params.most);
    uint tiles = tiles_of(end, kTile);
    uint groups = clamp(tiles, 1u, params.max_groups);
    uint group = group_index();
    if (group >= groups) return;

    Accumulator own = nothing();
    for (uint tile = group; tile < tiles; tile += groups) {
        uint first_quad = tile * (kTile / 4u) + gl_LocalInvocationIndex;
        if ((tile + 1u) * kTile <= end) {
            uvec4 quads[kQuads];
            [[unroll]] for (uint row = 0u; row < kQuads; ++row)
                quads[row] = source.quads[first_quad + row * kGroup];
            [[unroll]] for (uint row = 0u; row < kQuads; ++row)
                own = joined_quad(own, quads[row], 4u * (first_quad + row * kGroup));
        } else {
            for (uint row = 0u; row < kQuads; ++row) {
                uint first = 4u * (first_quad + row * kGroup);
                if (first >= end) break;
                uvec4 quad = source.quads[first / 4u];
                for (uint i = 0u; i < min(end - first, 4u); ++i)
                    own = joined(own, of_element(quad[i], first + i), params.p);
            }
        }
    }
    own = join_group(own, params.p);
    if (gl_LocalInvocationIndex == 0u) partials.words[group] = uvec2(own.word, own.index);
}
