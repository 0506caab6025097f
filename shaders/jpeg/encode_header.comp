#version 460
// The file's header with the Huffman tables that were made for it: a segment for each (annex B.2.4.2).

layout(local_size_x = 256) in;

uniform Params { uint tables; } params; // 2: grey

#include "built_table.glsl"

readonly buffer Built { BuiltTable tables[4]; } built;
// What comes before the tables and after them; words whose highest byte comes first.
readonly buffer Front { uint bytes; uint words[]; } front;
readonly buffer Back { uint bytes; uint words[]; } back;
writeonly buffer Header { uint bytes; uint words[]; } header;

const uint kBeforeSymbols = 2u + 2u + 1u + 16u; // marker, length, kind, how many codes have each length

uint segment_bytes(uint table) {
    return kBeforeSymbols + built.tables[table].symbols;
}

uint byte_of_table(uint table, uint at) {
    uint length = segment_bytes(table) - 2u;
    if (at == 0u) return 0xffu;
    if (at == 1u) return 0xc4u;
    if (at == 2u) return length >> 8;
    if (at == 3u) return length & 0xffu;
    if (at == 4u) return table % 2u << 4 | table / 2u;
    if (at < kBeforeSymbols) return built.tables[table].lengths[at - 5u];
    return built.tables[table].symbol[at - kBeforeSymbols];
}

uint byte_at(uint at) {
    if (at < front.bytes) return front.words[at / 4u] >> (24u - 8u * (at % 4u)) & 0xffu;
    at -= front.bytes;
    for (uint table = 0u; table < params.tables; ++table) {
        if (at < segment_bytes(table)) return byte_of_table(table, at);
        at -= segment_bytes(table);
    }
    return at < back.bytes ? back.words[at / 4u] >> (24u - 8u * (at % 4u)) & 0xffu : 0u;
}

void main() {
    uint bytes = front.bytes + back.bytes;
    for (uint table = 0u; table < params.tables; ++table) bytes += segment_bytes(table);
    if (gl_LocalInvocationIndex == 0u) header.bytes = bytes;
    for (uint word = gl_LocalInvocationIndex; 4u * word < bytes; word += gl_WorkGroupSize.x) {
        uint packed = 0u;
        for (uint i = 0u; i < 4u; ++i) packed |= byte_at(4u * word + i) << (24u - 8u * i);
        header.words[word] = packed;
    }
}
