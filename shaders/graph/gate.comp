#version 460
// Opens or closes one iteration of a loop that ends by itself: the group counts of the iteration's
// kernels are those asked for, or zero once a flag was set. A flag is looked at only while the loop
// runs: the kernels that write those of closed iterations do not.

layout(local_size_x = 1) in;

const uint kMaxCounts = 64u;

readonly buffer Flag { uint words[]; } flag;     // the first word: non-zero ends the loop
buffer Stopped { uint words[]; } stopped;        // one word
buffer Iterations { uint words[]; } iterations;  // one word: how many have run
writeonly buffer Counts { uint words[]; } counts; // three words a dispatch

uniform Params {
    uvec4 groups[kMaxCounts];
} params;

void main() {
    bool open = stopped.words[0] == 0u;
    if (open && flag.words[0] != 0u) {
        stopped.words[0] = 1u;
        open = false;
    }
    if (open) iterations.words[0] += 1u;
    for (uint i = 0u; i < kMaxCounts; ++i) {
        uvec3 groups = open ? params.groups[i].xyz : uvec3(0u);
        counts.words[3u * i] = groups.x;
        counts.words[3u * i + 1u] = groups.y;
        counts.words[3u * i + 2u] = groups.z;
    }
}
