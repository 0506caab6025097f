// The second array of a kernel, a sorted table with a length of its own. In C++, `bind_table` binds
// its count, and sets the member `table_length` of the kernel's parameters.
#ifndef PRIMITIVES_TABLE
#define PRIMITIVES_TABLE
layout(constant_id = 18) const uint has_table_count = 0u; // 1: the number is in a buffer

readonly buffer TableCount { uint words[]; } table_count;

// The number of its elements: `most`, which the buffer has room for, or as many as there are.
uint table_size(uint most) {
    if (has_table_count != 0u) return min(table_count.words[0], most);
    return most;
}
#endif
