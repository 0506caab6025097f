// Huffman codes by symbol, in the order of symbols.glsl; each is length << 16 | bits.
#ifndef JPEG_CODES
#define JPEG_CODES
#include "symbols.glsl"

readonly buffer Codes { uint words[kSymbolsOfAll]; } codes;

uint dc_table(bool chroma) {
    return chroma ? kSymbolsOfPair : 0u;
}
uint ac_table(bool chroma) {
    return dc_table(chroma) + kDcSymbols;
}
uint code_length(uint table, uint symbol) {
    return codes.words[table + symbol] >> 16;
}
#endif
