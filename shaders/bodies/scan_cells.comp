#version 460
// Where the constraints of each cell begin and end, from how many each has: one group, for few cells. The last
// range is that of constraints that move nothing.

layout(local_size_x = 256) in;

readonly buffer Tally { uint words[]; } tally;
readonly buffer Counts { uvec4 values[]; } counts; // of four cells each
writeonly buffer Starts { uvec4 values[]; } starts;
writeonly buffer Ranges { uvec2 values[]; } ranges;

uniform Params {
    uint all_cells;
} params;

shared uint sums[2u * gl_WorkGroupSize.x];

// The sum of what the invocations before have.
uint exclusive_scan(uint lane, uint own) {
    uint from = 0u;
    sums[lane] = own;
    for (uint way = 1u; way < gl_WorkGroupSize.x; way *= 2u) {
        barrier();
        uint to = gl_WorkGroupSize.x - from;
        sums[to + lane] = sums[from + lane] + (lane >= way ? sums[from + lane - way] : 0u);
        from = to;
    }
    return sums[from + lane] - own;
}

void put_range(uint cell, uint start, uint end) {
    if (cell < params.all_cells) {
        ranges.values[cell] = uvec2(start, end);
    } else if (cell == params.all_cells) {
        ranges.values[cell] = uvec2(start, tally.words[1]);
    }
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    uint quads = params.all_cells / 4u + 1u;
    uint share = (quads + gl_WorkGroupSize.x - 1u) / gl_WorkGroupSize.x;
    uint begin = min(lane * share, quads);
    uint end = min(begin + share, quads);
    uint own = 0u;
    for (uint q = begin; q < end; ++q) {
        uvec4 four = counts.values[q];
        own += four.x + four.y + four.z + four.w;
    }
    uint at = exclusive_scan(lane, own);
    for (uint q = begin; q < end; ++q) {
        uvec4 four = counts.values[q];
        uvec4 start = uvec4(at, at + four.x, at + four.x + four.y, at + four.x + four.y + four.z);
        starts.values[q] = start;
        at = start.w + four.w;
        put_range(4u * q, start.x, start.y);
        put_range(4u * q + 1u, start.y, start.z);
        put_range(4u * q + 2u, start.z, start.w);
        put_range(4u * q + 3u, start.w, at);
    }
}
