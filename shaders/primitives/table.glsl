// The second array of a kernel, a sorted table with a length of its own. Before the include,
// declare the block `Params` with the member `uint table_length`; in C++, `bind_table` fills it.
layout(constant_id = 18) const uint table_counted = 0u; // 1: the number is in a buffer

readonly buffer TableCount { uint words[]; } table_count;

uint table_size() {
    return table_counted != 0u ? min(table_count.words[0], params.table_length)
                               : params.table_length;
}
