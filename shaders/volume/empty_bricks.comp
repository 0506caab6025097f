#version 460
// Which bricks show nothing under a transfer function, or lie below a surface.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "transfer_points.glsl"
#include "volume_bricks.glsl"

layout(constant_id = 0) const uint kSurface = 0u; // 1: numbers below `surface` show nothing

uniform Params {
    TransferPoints points;
    float surface;
    float entry; // the distance of two entries of the table that is looked up
    uint bricks;
} params;

readonly buffer Ranges { vec2 values[]; } ranges;
writeonly buffer Empty { uint values[]; } empty;

bool shows(vec2 range) {
    if (range.x > range.y) return false;
    if (kSurface != 0u) return range.y >= params.surface;
    // A table turns a jump into a slope of one entry, in which its neighbours show.
    float low = range.x - params.entry;
    float high = range.y + params.entry;
    if (transfer_at(params.points.count, low).a > 0.0) return true;
    if (transfer_at(params.points.count, high).a > 0.0) return true;
    for (uint i = 0u; i < params.points.count; ++i) {
        float number = transfer_numbers[i];
        if (number >= low && number <= high && transfer_colors[i].a > 0.0) return true;
    }
    return false;
}

void main() {
    uint point = gl_LocalInvocationIndex; // there are at least as many as points
    if (point < params.points.count)
        keep_transfer_point(point, params.points.color[point], params.points.number[point].x);
    barrier();
    uint brick = invocation_index();
    if (brick >= params.bricks) return;
    empty.values[brick] = shows(between_texels(ranges.values[brick])) ? 0u : 1u;
}
