#version 460
// Puts triangles into the bins, of 8x8 tiles, that they touch: counts them, or fills in their
// numbers where the counts' prefix sums say.

layout(local_size_x = 256) in;

uniform Params {
    uint bins_across;
    uint capacity; // numbers that the bins have room for
} params;

layout(constant_id = 10) const uint kFill = 0u;

#include "invocation.glsl"
#include "record.glsl"

readonly buffer Records { uvec4 quads[]; } records;
readonly buffer Count { uint triangles; uint needed; uint bins; uint bin_room; } count;
readonly buffer BinStarts { uint values[]; } bin_starts; // kFill
buffer BinCounts { uint values[]; } bin_counts;
writeonly buffer Bins { uint values[]; } bins; // kFill

const int kBinSide = 128; // pixels

void main() {
    uint number = invocation_index();
    if (number >= count.triangles) return;
    uint at = number * kRecordQuads;
    uvec4 one = records.quads[at];
    ivec2 a = ivec2(one.xy);
    ivec2 b = ivec2(one.zw);
    ivec2 c = ivec2(records.quads[at + 1u].xy);
    uvec2 bounds = records.quads[at + 2u].zw;
    ivec2 first = ivec2(bounds.x & 0xffffu, bounds.x >> 16u) / kBinSide;
    ivec2 last = ivec2(bounds.y & 0xffffu, bounds.y >> 16u) / kBinSide;
    for (int y = first.y; y <= last.y; ++y)
        for (int x = first.x; x <= last.x; ++x) {
            ivec2 corner = ivec2(x, y) * kBinSide;
            ivec3 ab = edge_at(a, b, corner);
            ivec3 bc = edge_at(b, c, corner);
            ivec3 ca = edge_at(c, a, corner);
            ivec3 most = ivec3(ab.x, bc.x, ca.x) / kBinSide +
                         max(ivec3(ab.y, bc.y, ca.y), 0) + max(ivec3(ab.z, bc.z, ca.z), 0) + 1;
            if (any(lessThan(most, ivec3(0)))) continue;
            uint bin = uint(y) * params.bins_across + uint(x);
            if (kFill == 0u) {
                atomicAdd(bin_counts.values[bin], 1u);
                continue;
            }
            uint slot = bin_starts.values[bin] + atomicAdd(bin_counts.values[bin], ~0u) - 1u;
            if (slot < params.capacity) bins.values[slot] = number;
        }
}
