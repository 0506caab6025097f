// Sorts what a group has in two arrays of its own by two bits at a time: for cells that are too full for
// shared memory. Of each lane it keeps a quad in few_waits of batch_few.glsl, so no more lanes sort.
#ifndef BODIES_SORT_MEMBERS
#define BODIES_SORT_MEMBERS

const uint kMemberBits = 28u;     // of a constraint's index; an even number of passes

// `order` from `begin` on, by way of `batches`.
void sort_members(uint begin, uint count) {
    uint lane = gl_LocalInvocationID.x;
    uint lanes = min(gl_WorkGroupSize.x, kFew);
    uint share = (count + lanes - 1u) / lanes;
    uint from = begin + min(lane * share, count);
    uint to = begin + min((lane + 1u) * share, count);
    for (uint shift = 0u; shift < kMemberBits; shift += 2u) {
        bool is_back = (shift & 2u) != 0u;
        uvec4 sums = uvec4(0u);
        for (uint at = from; at < to; ++at)
            ++sums[(is_back ? batches.values[at] : order.values[at]) >> shift & 3u];
        if (lane < lanes) few_waits[lane] = sums;
        wait();
        if (lane == 0u) {
            uint start = begin;
            for (uint digit = 0u; digit < 4u; ++digit)
                for (uint i = 0u; i < lanes; ++i) {
                    uint here = few_waits[i][digit];
                    few_waits[i][digit] = start;
                    start += here;
                }
        }
        wait();
        if (lane < lanes) sums = few_waits[lane];
        for (uint at = from; at < to; ++at) {
            uint member = is_back ? batches.values[at] : order.values[at];
            uint place = sums[member >> shift & 3u]++;
            if (is_back) {
                order.values[place] = member;
            } else {
                batches.values[place] = member;
            }
        }
        wait();
    }
}
#endif
