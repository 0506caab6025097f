#version 460
// The transfer function at equal distances from its first point to its last.

layout(local_size_x = 64) in;

#include "transfer_points.glsl"

uniform Params {
    TransferPoints points;
    uint entries;
} params;

writeonly buffer Table { vec4 values[]; } table;

void main() {
    uint point = gl_LocalInvocationIndex; // there are at least as many as points
    if (point < params.points.count)
        keep_transfer_point(point, params.points.color[point], params.points.number[point].x);
    barrier();
    uint i = gl_GlobalInvocationID.x;
    if (i >= params.entries) return;
    uint last = params.points.count - 1u;
    float share = float(i) / float(params.entries - 1u);
    float low = params.points.number[0].x;
    float high = params.points.number[last].x;
    // The last entry is that of the last point, also where it makes a jump.
    if (i == 0u && high > low)
        table.values[i] = params.points.color[0];
    else if (i + 1u == params.entries)
        table.values[i] = params.points.color[last];
    else
        table.values[i] = transfer_at(params.points.count, mix(low, high, share));
}
