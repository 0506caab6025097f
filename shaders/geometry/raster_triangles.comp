#version 460
//! variants OUTPUT=depths,count,fill,numbers,keys
#if OUTPUT_keys
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#endif
// Draws triangles, but for large ones, of which the first kernel of each method makes a list.
// OUTPUT: the least depth of each pixel; the count of its fragments; fragments, written to the room
// that a pixel's list has; of the nearest triangles of a pixel the least number; or the nearest
// triangle by 64-bit atomics.

#define LISTS_PARTS (OUTPUT_depths || OUTPUT_count || OUTPUT_keys)
#include "params.glsl"
#include "output.glsl"
// Draws triangles, but for the large ones, which it lists where LISTS_PARTS is defined, as those
// that must be clipped. A group sets up a triangle in each invocation, and keeps those that may
// have pixels in shared memory. Then eight invocations each take one of few pixels at a time, and
// all of them together each of the others: neighbours in a row draw neighbouring pixels.

layout(local_size_x = 128) in;

#include "invocation.glsl"
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


const uint kGroup = gl_WorkGroupSize.x;
const int kFewPixels = 256;  // of the box of a triangle that eight invocations draw
const int kMaxPixels = 2048; // of one that a group draws

const uint kNumbers = 19u;
shared int kept[kNumbers][kGroup]; // few pixels from the front, others from the back
shared uint few_count;
shared uint many_count;

#if LISTS_PARTS
#include "parts.glsl"
buffer Status { uint counters[]; } status;
buffer Parts { uint words[]; } parts;
writeonly buffer PartList { uint words[]; } part_list;
buffer Clips { uint words[]; } clips;
writeonly buffer ClipList { uint words[]; } clip_list;
shared uint counters[kStatusWords];
shared uint large_count;
shared ivec4 large[kGroup];         // triangle, first part, and block of the lowest coordinates
shared int large_width[kGroup];     // in blocks
shared uint large_ends[kGroup];     // parts
#include "reserve.glsl"

void count_status(uint word) {
    atomicAdd(counters[word], 1u);
}

void list_large(uint triangle, PixelBox box) {
    Reserved r = reserve_parts(triangle, box);
    if (r.size.x == 0) return;
    uint slot = atomicAdd(large_count, 1u);
    large[slot] = ivec4(triangle, r.first, r.low);
    large_width[slot] = r.size.x;
    large_ends[slot] = uint(r.size.x * r.size.y);
}

void list_clipped(uint triangle) {
    atomicAdd(counters[kClipped], 1u);
    uint at = atomicAdd(clips.words[kClipCount], 1u);
    clip_list.words[at] = triangle;
    atomicMax(clips.words[0], min(at + 1u, kMaxGroups));
}

void begin_lists(bool first_group) {
    uint lane = gl_LocalInvocationIndex;
    if (lane < kStatusWords) counters[lane] = 0u;
    if (lane == 0u) large_count = 0u;
    if (first_group && lane < 2u) {
        parts.words[kPartGroups + 1u + lane] = 1u;
        clips.words[1u + lane] = 1u;
    }
}

// All invocations write the parts of each large triangle.
void end_lists() {
    uint lane = gl_LocalInvocationIndex;
    for (uint i = 0u; i < large_count; ++i) {
        Reserved r = Reserved(uint(large[i].y), large[i].zw, ivec2(large_width[i], 1));
        for (uint part = lane; part < large_ends[i]; part += kGroup)
            write_part(r, uint(large[i].x), part);
    }
    if (lane < kStatusWords && counters[lane] != 0u) atomicAdd(status.counters[lane], counters[lane]);
}
#else
void count_status(uint word) {}
void list_large(uint triangle, PixelBox box) {}
void list_clipped(uint triangle) {}
void begin_lists(bool first_group) {}
void end_lists() {}
#endif

void keep(uint slot, uint triangle, Setup s, PixelBox box) {
    for (int i = 0; i < 3; ++i) {
        kept[i][slot] = s.across[i];
        kept[3 + i][slot] = s.down[i];
        kept[6 + i][slot] = s.edges[i];
        kept[9 + i][slot] = floatBitsToInt(s.depth[i]);
    }
    ivec2 size = box.high - box.low + 1;
    kept[12][slot] = floatBitsToInt(s.depths.x);
    kept[13][slot] = floatBitsToInt(s.depths.y);
    kept[14][slot] = s.from.x;
    kept[15][slot] = s.from.y;
    kept[16][slot] = box.low.x | box.low.y << 16;
    kept[17][slot] = size.x | size.y << 16;
    kept[18][slot] = int(triangle);
}

ivec3 kept_three(uint word, uint slot) {
    return ivec3(kept[word][slot], kept[word + 1u][slot], kept[word + 2u][slot]);
}

// `footprint` is how the invocations that draw it together lie on the screen.
void draw_kept(uint slot, uint lane, ivec2 footprint) {
    ivec2 size = ivec2(kept[17][slot] & 0xffff, kept[17][slot] >> 16);
    ivec2 begin = ivec2(lane % uint(footprint.x), lane / uint(footprint.x));
    ivec3 across = kept_three(0u, slot);
    ivec3 down = kept_three(3u, slot);
    ivec3 row = kept_three(6u, slot) + across * begin.x + down * begin.y;
    vec3 plane = intBitsToFloat(kept_three(9u, slot));
    vec2 depths = intBitsToFloat(ivec2(kept[12][slot], kept[13][slot]));
    ivec2 from = ivec2(kept[14][slot], kept[15][slot]);
    ivec2 low = ivec2(kept[16][slot] & 0xffff, kept[16][slot] >> 16);
    uint triangle = uint(kept[18][slot]);
    ivec3 edges = row;
    ivec2 at = begin;
    while (at.y < size.y) {
        if (at.x < size.x && is_inside(edges))
            take_fragment(low + at, depth_at(plane, depths, from + kFraction * at), triangle);
        at.x += footprint.x;
        edges += across * footprint.x;
        if (at.x >= size.x) {
            at = ivec2(begin.x, at.y + footprint.y);
            row += down * footprint.y;
            edges = row;
        }
    }
}

void take_triangle(uint triangle) {
    if (triangle >= params.triangles) return;
    Corners t;
    uint fate = load_triangle(triangle, t);
    if (fate != kDraw) {
        if (fate == kClip) list_clipped(triangle);
        else if (fate != kUnseen) count_status(fate);
        return;
    }
    ivec2 a = t.a.xy;
    ivec2 b = t.b.xy;
    ivec2 c = t.c.xy;
    Wide area = cross_product(b - a, c - a);
    if (area.high == 0 && area.low == 0u) count_status(kDegenerate);
    if (!is_shown(area, params.cull)) return;
    PixelBox box = pixels_between(a, b, c, ivec2(0), ivec2(params.size) - 1);
    if (is_empty(box)) return;
    ivec2 size = box.high - box.low + 1;
    if (size.x * size.y > kMaxPixels || !is_small(a, b, c)) {
        list_large(triangle, box);
        return;
    }
    bool few = size.x * size.y <= kFewPixels;
    uint slot = few ? atomicAdd(few_count, 1u) : kGroup - 1u - atomicAdd(many_count, 1u);
    keep(slot, triangle, set_up(t.a, t.b, t.c, area, box.low), box);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint group = group_index();
    if (lane == 0u) {
        few_count = 0u;
        many_count = 0u;
    }
    begin_lists(group == 0u);
    barrier();
    take_triangle(group * kGroup + lane);
    barrier();
    end_lists();
    for (uint slot = lane / 8u; slot < few_count; slot += kGroup / 8u)
        draw_kept(slot, lane % 8u, ivec2(4, 2));
    for (uint i = 0u; i < many_count; ++i) draw_kept(kGroup - 1u - i, lane, ivec2(16, 8));
}
