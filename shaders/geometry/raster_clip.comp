#version 460
// Lists the blocks of triangles that must be clipped, by the box of what is left of them. A group
// takes one at a time.

layout(local_size_x = 64) in;

#include "params.glsl"
#include "status.glsl"
#include "screen.glsl"
#include "setup.glsl"
#include "parts.glsl"
#include "polygon.glsl"

readonly buffer Indices { uint values[]; } indices;
buffer Status { uint counters[]; } status;
buffer Parts { uint words[]; } parts;
writeonly buffer PartList { uint words[]; } part_list;
readonly buffer Clips { uint words[]; } clips;
readonly buffer ClipList { uint words[]; } clip_list;

shared uint counters[kStatusWords];
shared uint first_part;
shared ivec4 blocks; // the lowest, and how many either way
#include "reserve.glsl"

void reserve(uint triangle) {
    ivec2 low = ivec2(int(kFarthest));
    ivec2 high = -low;
    for (int i = 0; i < polygon_count; ++i) {
        low = min(low, polygon[i].xy);
        high = max(high, polygon[i].xy);
    }
    blocks = ivec4(0);
    PixelBox box = pixels_between(low, high, high, ivec2(0), ivec2(params.size) - 1);
    if (polygon_count < 3 || is_empty(box)) return;
    Reserved r = reserve_parts(triangle, box);
    first_part = r.first;
    blocks = ivec4(r.low, r.size);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    if (lane < kStatusWords) counters[lane] = 0u;
    uint count = clips.words[kClipCount];
    for (uint i = gl_WorkGroupID.x; i < count; i += gl_NumWorkGroups.x) {
        uint triangle = clip_list.words[i];
        make_polygon(uvec3(indices.values[3u * triangle], indices.values[3u * triangle + 1u],
                           indices.values[3u * triangle + 2u]));
        if (lane == 0u) reserve(triangle);
        barrier();
        Reserved r = Reserved(first_part, blocks.xy, blocks.zw);
        uint parts_of_it = uint(r.size.x * r.size.y);
        for (uint part = lane; part < parts_of_it; part += gl_WorkGroupSize.x)
            write_part(r, triangle, part);
    }
    barrier();
    if (lane < kStatusWords && counters[lane] != 0u) atomicAdd(status.counters[lane], counters[lane]);
}
