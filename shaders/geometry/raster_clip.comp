#version 460
// Lists the blocks of triangles that must be clipped, by the box of what is left of them.

layout(local_size_x = 64) in;

#include "raster/params.glsl"
#include "raster/status.glsl"
#include "raster/screen.glsl"
#include "raster/setup.glsl"
#include "raster/parts.glsl"
#include "raster/polygon.glsl"

readonly buffer Indices { uint values[]; } indices;
buffer Status { uint counters[]; } status;
buffer Parts { uint words[]; } parts;
writeonly buffer PartList { uint words[]; } part_list;
readonly buffer Clips { uint words[]; } clips;
readonly buffer ClipList { uint words[]; } clip_list;

shared uint counters[kStatusWords];
#include "raster/reserve.glsl"

void list_parts(uint triangle) {
    Polygon polygon = polygon_of(uvec3(indices.values[3u * triangle],
                                       indices.values[3u * triangle + 1u],
                                       indices.values[3u * triangle + 2u]));
    if (polygon.count < 3) return;
    ivec2 low = ivec2(int(kFarthest));
    ivec2 high = -low;
    for (int i = 0; i < polygon.count; ++i) {
        ivec2 p = polygon_vertex(polygon.vertices[i]).xy;
        low = min(low, p);
        high = max(high, p);
    }
    PixelBox box = pixels_between(low, high, high, ivec2(0), ivec2(params.size) - 1);
    if (is_empty(box)) return;
    Reserved r = reserve_parts(triangle, box);
    uint count = uint(r.size.x * r.size.y);
    for (uint i = 0u; i < count; ++i) write_part(r, triangle, i);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    if (lane < kStatusWords) counters[lane] = 0u;
    barrier();
    uint count = clips.words[kClipCount];
    for (uint i = gl_WorkGroupID.x * kClipGroup + lane; i < count;
         i += gl_NumWorkGroups.x * kClipGroup)
        list_parts(clip_list.words[i]);
    barrier();
    if (lane < kStatusWords && counters[lane] != 0u) atomicAdd(status.counters[lane], counters[lane]);
}
