#version 460
// The binary search of I. Buck and T. Purcell, "A Toolkit for Computation on GPUs", GPU Gems,
// chapter 37: from the middle, steps of half the size each, one more step of 1, and a correction of
// 0 or 1 that makes it the first of equal keys. Where the book addresses texels by floats and lets
// fetches beyond the end repeat the last key, this takes integers and lets keys beyond the end be
// greater than all: any number of keys may be searched, and a query after all of them gets the
// number of keys, not one more.
#define KEY_WORDS 1

layout(local_size_x = 256) in;

uniform Params {
    uint most;
    uint table_length;
} params;
#include "invocation.glsl"
#include "length.glsl"
#include "sort_key.glsl"
#include "table.glsl"

readonly buffer Table { Key words[]; } table;
readonly buffer Queries { Key words[]; } queries;
writeonly buffer Result { uint words[]; } result;

// Whether the query is greater than the key at `at`; before the first key it is, after the last it
// is not.
bool beyond(int at, Key query, int size) {
    if (at < 0) return true;
    if (at >= size) return false;
    return key_before(sort_key(table.words[at]), query);
}

void main() {
    uint index = invocation_index();
    if (index >= element_count(params.most)) return;
    Key query = sort_key(queries.words[index]);
    int size = int(table_size(params.table_length));
    int steps = size > 1 ? findMSB(size - 1) + 1 : 0; // log2 of the size, rounded up
    int stride = (1 << steps) / 2;
    int at = stride;
    for (int i = 1; i < steps; ++i) {
        stride /= 2;
        at += beyond(at, query, size) ? stride : -stride;
    }
    at += beyond(at, query, size) ? 1 : -1;
    at += beyond(at, query, size) ? 1 : 0;
    result.words[index] = uint(clamp(at, 0, size));
}
