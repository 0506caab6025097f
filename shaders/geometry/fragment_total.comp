#version 460
// How many fragments there are, and how many are in the lists.

layout(local_size_x = 1) in;

#include "status.glsl"

uniform Params {
    uint capacity;
} params;

readonly buffer Total { uint word; } total;
writeonly buffer Count { uint word; } count;
writeonly buffer Status { uint counters[]; } status;

void main() {
    uint needed = total.word;
    uint stored = min(needed, params.capacity);
    count.word = stored;
    status.counters[kNeeded] = needed;
    status.counters[kStored] = stored;
    status.counters[kOverflowed] = uint(stored < needed);
}
