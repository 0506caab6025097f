// The Huffman tables of a picture, in the group's memory. Numbers as in passes/jpeg/decode_stream.hpp.
#ifndef JPEG_DECODE_TABLES
#define JPEG_DECODE_TABLES

// Pairs of a DC and an AC table, each of which is looked up by the next ten bits: a word holds the bits
// of the code and of what follows it (0-4), of what follows it (5-8), and how far the coefficient's
// number goes on (9-15). Those of longer codes say which 64 words are for the bits behind.
const uint kTableWords = 1024u;
const uint kLongCode = 0x80000000u;
readonly buffer Tables { uint words[]; } tables;

// Three pairs, which are the most, and with two, as in most files, 2,048 words of longer codes.
const uint kSharedWords = 6u * kTableWords;
shared uint shared_tables[kSharedWords];

// All of the group must call it.
void load_tables() {
    uint count = min(uint(tables.words.length()), kSharedWords);
    for (uint i = gl_LocalInvocationID.x; i < count; i += gl_WorkGroupSize.x)
        shared_tables[i] = tables.words[i];
    barrier();
}

// `table`: where it begins.
uint entry_of(uint bits, uint table) {
    uint entry = shared_tables[table + (bits >> 22)];
    if (entry >= kLongCode) {
        uint place = (entry ^ kLongCode) + (bits >> 16 & 63u);
        if (place < kSharedWords) entry = shared_tables[place];
        else entry = tables.words[place];
    }
    return entry;
}
#endif
