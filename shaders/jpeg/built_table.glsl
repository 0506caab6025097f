// A Huffman table that jpeg/encode_tables has made.
#ifndef JPEG_BUILT_TABLE
#define JPEG_BUILT_TABLE
struct BuiltTable {
    uint symbols;     // that have a code
    uint lengths[16]; // how many codes have 1 to 16 bits
    uint symbol[256]; // in the order of their codes
};
#endif
