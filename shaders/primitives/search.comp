#version 460
// Binary search for keys of 32 or 64 bits.
//! variants KEY_WORDS=1,2

// Searches a sorted table, a query an invocation.
layout(local_size_x = 256) in;
layout(constant_id = 10) const uint find = 0u;

// The values of SearchFor in passes/primitives/search_kernel.hpp.
const uint kFirstNotBefore = 0u;
const uint kFirstAfter = 1u;
const uint kEqual = 2u;

const uint kNotFound = 0xffffffffu;

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

void main() {
    uint index = invocation_index();
    if (index >= element_count(params.most)) return;
    Key query = sort_key(queries.words[index]);
    uint size = table_size(params.table_length);
    uint first = 0u;
    for (uint left = size; left > 0u;) {
        uint half_left = left / 2u;
        Key middle = sort_key(table.words[first + half_left]);
        bool beyond = find == kFirstAfter ? !key_before(query, middle) : key_before(middle, query);
        if (beyond) first += half_left + 1u;
        left = beyond ? left - half_left - 1u : half_left;
    }
    if (find == kEqual && (first == size || sort_key(table.words[first]) != query))
        first = kNotFound;
    result.words[index] = first;
}
