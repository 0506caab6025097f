#version 460
// The Huffman code that fits the frequencies of a table's symbols best, no code longer than 16 bits (ITU-T
// T.81, annex K.2). A group makes a table: of first coefficients and of the others, of luma and of chroma.

layout(local_size_x = 256) in;

#include "symbols.glsl"
#include "built_table.glsl"

readonly buffer Frequencies { uint words[kSymbolsOfAll]; } frequencies;
writeonly buffer Codes { uint words[kSymbolsOfAll]; } codes;
writeonly buffer Built { BuiltTable tables[4]; } built;

// One symbol more than there are, which is the rarest and in no file: it takes the code that is all ones,
// which may not be used.
const uint kReserved = 256u;
const uint kMax = 257u;
const uint kMaxLength = 64u; // of a code before it is limited: frequencies are less than 2^32
const uint kLongest = 16u;

shared uint frequency[kMax];
shared uint order[kMax];       // symbols, the rarest first
shared uint weights[2u * kMax]; // of the tree's nodes: first of symbols, in that order, then of pairs
shared uint parents[2u * kMax];
shared uint depths[2u * kMax];
shared uint lengths[kMaxLength]; // how many codes have each
shared uint used;

// Before symbol `a` comes whatever is rarer, or as rare and greater.
uint rank_of(uint a) {
    uint rank = 0u;
    for (uint b = 0u; b < kMax; ++b)
        if (frequency[b] != 0u && (frequency[b] < frequency[a] || (frequency[b] == frequency[a] && b > a))) ++rank;
    return rank;
}

void put_in_order(uint symbol) {
    if (frequency[symbol] == 0u) return;
    uint rank = rank_of(symbol);
    order[rank] = symbol;
    weights[rank] = frequency[symbol];
    atomicAdd(used, 1u);
}

// Huffman's algorithm: pairs come to be in the order of their weights, so the lightest node is the next
// symbol or the next pair.
void build_tree() {
    uint symbol = 0u;
    uint pair = used;
    for (uint made = used; made < 2u * used - 1u; ++made) {
        uint sum = 0u;
        for (uint child = 0u; child < 2u; ++child) {
            bool takes_symbol = symbol < used && (pair == made || weights[symbol] <= weights[pair]);
            uint node = takes_symbol ? symbol : pair;
            if (takes_symbol) ++symbol;
            else ++pair;
            sum += weights[node];
            parents[node] = made;
        }
        weights[made] = sum;
    }
    depths[2u * used - 2u] = 0u;
    for (uint node = 2u * used - 2u; node > used; --node)
        depths[node - 1u] = depths[parents[node - 1u]] + 1u;
}

// Moves pairs of the longest codes up, each to below a shorter one (figure K.3), and takes the code that
// is all ones out.
void limit_lengths() {
    for (uint i = kMaxLength - 1u; i > kLongest; --i)
        while (lengths[i] > 0u) {
            uint j = i - 2u;
            while (lengths[j] == 0u) --j;
            lengths[i] -= 2u;
            lengths[i - 1u] += 1u;
            lengths[j + 1u] += 2u;
            lengths[j] -= 1u;
        }
    uint longest = kLongest;
    while (longest > 0u && lengths[longest] == 0u) --longest;
    lengths[longest] -= 1u;
}

// The code of the symbol that is number `i` of the table, the most frequent one being number 0.
uint code_of(uint i) {
    uint code = 0u;
    uint first = 0u;
    for (uint length = 1u; length <= kLongest; ++length) {
        if (i < first + lengths[length]) return length << 16 | code + i - first;
        first += lengths[length];
        code = code + lengths[length] << 1;
    }
    return 0u;
}

void main() {
    uint table = gl_WorkGroupID.x;
    uint own = gl_LocalInvocationIndex;
    bool is_dc = table % 2u == 0u;
    uint symbols = is_dc ? kDcSymbols : kAcSymbols;
    uint first = table / 2u * kSymbolsOfPair + (is_dc ? 0u : kDcSymbols);
    frequency[own] = own < symbols ? frequencies.words[first + own] : 0u;
    if (own < kMaxLength) lengths[own] = 0u;
    if (own == 0u) {
        frequency[kReserved] = 1u;
        used = 0u;
    }
    barrier();
    put_in_order(own);
    if (own == 0u) put_in_order(kReserved);
    barrier();
    if (own == 0u && used > 1u) build_tree();
    barrier();
    for (uint i = own; i < used && used > 1u; i += gl_WorkGroupSize.x)
        atomicAdd(lengths[min(depths[parents[i]] + 1u, kMaxLength - 1u)], 1u);
    barrier();
    if (own == 0u && used > 1u) limit_lengths();
    barrier();

    uint in_table = used - 1u;
    if (own == 0u) built.tables[table].symbols = in_table;
    if (own < kLongest) built.tables[table].lengths[own] = lengths[own + 1u];
    if (own < symbols && frequency[own] == 0u) codes.words[first + own] = 0u;
    if (own < in_table) {
        uint symbol = order[in_table - own]; // without the rarest
        built.tables[table].symbol[own] = symbol;
        codes.words[first + symbol] = code_of(own);
    }
}
