#version 460
// Where the batches of all constraints begin and end, and groups of 64 for each; what is beyond the last
// of them is one range, for one group.

layout(local_size_x = 64) in;

readonly buffer Ranges { uvec2 values[]; } ranges;
readonly buffer OrderedBatches { uint values[]; } ordered_batches;
writeonly buffer BatchRanges { uvec2 values[]; } batch_ranges;
writeonly buffer Arguments { uint words[]; } arguments;

uniform Params {
    uint most;
} params;

// The first place of a batch or a later one.
uint first_of(uint batch, uvec2 range) {
    uint low = range.x;
    uint high = range.y;
    while (low < high) {
        uint middle = (low + high) / 2u;
        if (ordered_batches.values[middle] < batch) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

void main() {
    uvec2 all = ranges.values[0];
    for (uint batch = gl_LocalInvocationID.x; batch <= params.most; batch += 64u) {
        uint begin = first_of(batch, all);
        uint end = batch < params.most ? first_of(batch + 1u, all) : all.y;
        batch_ranges.values[batch] = uvec2(begin, end);
        uint groups = batch < params.most ? (end - begin + 63u) / 64u : min(end - begin, 1u);
        arguments.words[3u * batch] = min(groups, 65535u);
        arguments.words[3u * batch + 1u] = (groups + 65534u) / 65535u;
        arguments.words[3u * batch + 2u] = 1u;
    }
}
