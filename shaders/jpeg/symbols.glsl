// Symbols of all tables, one after the other: of luma and then of chroma 12 of first coefficients, 256 of
// the others. Codes stand in the same order.
#ifndef JPEG_SYMBOLS
#define JPEG_SYMBOLS
const uint kDcSymbols = 12u;
const uint kAcSymbols = 256u;
const uint kSymbolsOfPair = kDcSymbols + kAcSymbols; // of luma, of chroma
const uint kSymbolsOfAll = 2u * kSymbolsOfPair;
#endif
