#version 460
// Workgroups for the tiles of each bucket, in rows of kWidestDispatch.

layout(local_size_x = 8) in;

#include "buckets.glsl"

readonly buffer TileCount { uint values[]; } tile_counts;
writeonly buffer Arguments { uint values[]; } arguments; // three words a bucket

const uint kWidestDispatch = 32768u;

void main() {
    uint bucket = gl_LocalInvocationIndex;
    if (bucket >= kBuckets) return;
    uint count = tile_counts.values[bucket];
    uint rows = (count + kWidestDispatch - 1u) / kWidestDispatch;
    arguments.values[3u * bucket] = min(count, kWidestDispatch);
    arguments.values[3u * bucket + 1u] = rows;
    arguments.values[3u * bucket + 2u] = min(rows, 1u);
}
