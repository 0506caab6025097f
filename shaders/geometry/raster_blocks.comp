#version 460
//! variants OUTPUT=depths,count,fill,numbers,keys
#if OUTPUT_keys
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#endif
// Draws the parts of large triangles.
// OUTPUT: the least depth of each pixel; the count of its fragments; fragments, written to the room
// that a pixel's list has; of the nearest triangles of a pixel the least number; or the nearest
// triangle by 64-bit atomics.

#include "params.glsl"
#include "output.glsl"
// Draws large triangles and those that are clipped: a group takes their blocks in turn, and then
// whole triangles.

layout(local_size_x = 128) in;

#include "status.glsl"
#include "screen.glsl"
#include "setup.glsl"
#include "mesh.glsl"

// What takes the fragments of a triangle.
layout(constant_id = 0) const uint has_occluder = 0u; // 1: only what is before `occluder` counts

uniform sampler2D occluder;

void take_fragment(ivec2 at, float depth, uint triangle) {
    if (has_occluder != 0u && !(depth < texelFetch(occluder, at, 0).r)) return;
    store_fragment(uint(at.y) * params.size.x + uint(at.x), floatBitsToUint(depth), triangle);
}

#include "parts.glsl"
#include "polygon.glsl"

readonly buffer Parts { uint words[]; } parts;
readonly buffer PartList { uint words[]; } part_list;

const int kRowsAtOnce = 4; // of a block that 128 invocations draw together

// A triangle's pixels of a block. Bits of `taken` are this invocation's pixels, by rows, that
// pieces of the same triangle have had.
void draw_in_block(ivec4 a, ivec4 b, ivec4 c, uint triangle, ivec2 block, inout uint taken) {
    Wide area = cross_product(b.xy - a.xy, c.xy - a.xy);
    if (!is_shown(area, params.cull)) return;
    ivec2 first = block * kBlock;
    PixelBox box = pixels_between(a.xy, b.xy, c.xy, first,
                                  min(first + kBlock, ivec2(params.size)) - 1);
    if (is_empty(box)) return;
    Setup s = set_up(a, b, c, area, first);
    ivec3 most = s.edges + (kBlock - 1) * (max(s.across, ivec3(0)) + max(s.down, ivec3(0)));
    if (any(lessThan(most, ivec3(0)))) return;
    int lane = int(gl_LocalInvocationIndex);
    ivec2 at = ivec2(lane % kBlock, lane / kBlock);
    if (first.x + at.x < box.low.x || first.x + at.x > box.high.x) return;
    ivec3 edges = s.edges + s.across * at.x + s.down * at.y;
    for (int row = 0; row < kBlock / kRowsAtOnce; ++row) {
        int y = first.y + at.y;
        bool inside = y >= box.low.y && y <= box.high.y && is_inside(edges);
        if (inside && (taken >> row & 1u) == 0u) {
            take_fragment(first + at, depth_at(s.depth, s.depths, s.from + kFraction * at),
                          triangle);
            taken |= 1u << row;
        }
        at.y += kRowsAtOnce;
        edges += s.down * kRowsAtOnce;
    }
}

// All invocations must call it.
void draw_part(uint triangle, ivec2 block) {
    uint taken = 0u;
    Corners t;
    uint fate = load_triangle(triangle, t);
    if (fate == kDraw) draw_in_block(t.a, t.b, t.c, triangle, block, taken);
    if (fate != kClip) return;
    make_polygon(corners_of(triangle));
    for (int i = 2; i < polygon_count; ++i)
        draw_in_block(polygon[0], polygon[i - 1], polygon[i], triangle, block, taken);
}

void main() {
    uint part_count = min(parts.words[kPartCount], params.room);
    for (uint i = gl_WorkGroupID.x; i < part_count; i += gl_NumWorkGroups.x) {
        uint triangle = part_list.words[2u * i];
        if (triangle != kNoTriangle) draw_part(triangle, block_of(part_list.words[2u * i + 1u]));
    }
    uint whole_count = parts.words[kWholeCount];
    ivec2 blocks = (ivec2(params.size) + kBlock - 1) / kBlock;
    for (uint i = gl_WorkGroupID.x; i < whole_count; i += gl_NumWorkGroups.x) {
        uint triangle = part_list.words[2u * params.room + i];
        for (int y = 0; y < blocks.y; ++y)
            for (int x = 0; x < blocks.x; ++x) draw_part(triangle, ivec2(x, y));
    }
}
