// assert(condition) counts the invocations of a compute kernel in which the condition does not
// hold, for each line; whoever runs the graph is told how many there were, and the first. With
// `has_assertions` 0 conditions are not even looked at. The graph binds the buffer.
#ifndef ASSERT
#define ASSERT

layout(constant_id = 900) const uint has_assertions = 1;

// How many invocations there are along x, y and z, and how many failures found no room. Then, for
// each line: its number, how many failures, and the flat number of the first invocation, inverted.
buffer Assertions { uint words[]; } assertions;

const uint kAssertionHead = 4;  // words; these three as in engine/graph/build/assertions.cpp
const uint kAssertionLines = 31;
const uint kAssertionWords = 4; // of a line

void count_failed_assertion(uint line, uvec3 group_size) {
    uvec3 all = gl_NumWorkGroups * group_size;
    uvec3 own = gl_WorkGroupID * group_size + gl_LocalInvocationID;
    for (uint axis = 0; axis < 3; ++axis)
        assertions.words[axis] = all[axis]; // the same from all
    for (uint i = 0; i < kAssertionLines; ++i) {
        uint room = kAssertionHead + (line + i) % kAssertionLines * kAssertionWords;
        uint holder = atomicCompSwap(assertions.words[room], 0u, line);
        if (holder != 0 && holder != line) continue;
        atomicAdd(assertions.words[room + 1], 1u);
        atomicMax(assertions.words[room + 2], ~((own.z * all.y + own.y) * all.x + own.x));
        return;
    }
    atomicAdd(assertions.words[3], 1u);
}

#define assert(condition)                                                                          \
    do {                                                                                           \
        if (has_assertions != 0 && !(condition))                                                   \
            count_failed_assertion(uint(__LINE__), gl_WorkGroupSize);                              \
    } while (false)

#endif
