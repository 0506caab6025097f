#version 460
//! variants KEY_WORDS=1,2 VALUE_WORDS=0,1,2 except 2,2

// One digit of the radix sort in a single sweep (A. Adinets and D. Merrill, "Onesweep: A Faster
// Least Significant Digit Radix Sort for GPUs", 2022): a tile learns how many equal digits come
// before it by looking back at what the tiles before have published.
//
// Tiles are taken in the order of their tickets, so those looked back at have begun. Where one does
// not get on for long, which a device may do to a group whose fellows wait, the group that waits
// counts that tile itself: no order in which groups are run makes it hang. Sums do not depend on
// who counted, so neither does the result.
#extension GL_KHR_memory_scope_semantics : require
#include "radix_tile.glsl"

layout(constant_id = 14) const uint spin_limit = 4096u; // looks at a tile before it is counted anew

// How words of other tiles are read. 1: by atomic loads, which real GPUs are faster at.
layout(constant_id = 4) const uint loads = 0u;

readonly buffer Starts { uint words[]; } starts; // pass by pass, of each digit in the result
buffer Tickets { uint words[]; } tickets;       // one a pass
// Tile by tile, of each digit: a flag in the two upper bits and a number of elements, which has
// thirty (kMaxElements in passes/primitives/elements.hpp).
buffer Status { uint words[]; } status;
writeonly buffer NextStatus { uint words[]; } next_status; // cleared for the next pass

const uint kSeen = 8u; // tiles that an invocation looks at together

const uint kFlags = 3u << 30;
const uint kTileOnly = 1u << 30;   // the tile's own elements
const uint kWithBefore = 2u << 30; // and those of all tiles before

shared uint ticket;
shared uint late_tile; // the last tile somebody has given up waiting for with, plus one
shared uint recount[kMaxBins];

void publish(uint tile, uint word) {
    // A count by somebody else may come late, but what is greater stays.
    if (own_index() < kBins) atomicMax(status.words[tile * kBins + own_index()], word);
}

// Counts the digits of a whole tile into `recount`.
void count_tile(uint tile) {
    if (own_index() < kBins) recount[own_index()] = 0u;
    barrier();
    for (uint at = own_index(); at < kTile; at += kGroupSize) {
        Key other = sort_key(keys.words[tile * kTile + at]);
        atomicAdd(recount[digit_of(other, params.shift, params.mask)], 1u);
    }
    barrier();
}

uint published(uint tile, uint digit) {
    if (loads != 0u)
        return atomicLoad(status.words[tile * kBins + digit], gl_ScopeDevice, 0,
                          gl_SemanticsRelaxed);
    return atomicOr(status.words[tile * kBins + digit], 0u); // see primitives/look_back.glsl
}

// Elements with the digit `own_index()` in the tiles before.
uint look_back(uint tile) {
    uint digit = own_index();
    bool done = tile == 0u || digit >= kBins;
    uint sum = 0u;
    uint at = tile - 1u;
    while (true) {
        for (uint looks = 0u; !done && looks < spin_limit;) {
            // Several at once: they are under way together.
            uint words[kSeen];
            [[unroll]] for (uint i = 0u; i < kSeen; ++i)
                words[i] = published(at - min(at, i), digit);
            [[unroll]] for (uint i = 0u; i < kSeen; ++i) {
                bool known = (words[i] & kFlags) != 0u;
                if (i == 0u) looks = known ? 0u : looks + 1u;
                if (done || !known) break;
                sum += words[i] & ~kFlags;
                done = (words[i] & kFlags) == kWithBefore || at == 0u;
                --at;
            }
        }
        if (!done) atomicMax(late_tile, at + 1u);
        barrier();
        uint late = late_tile;
        barrier();
        if (late == 0u) return sum;
        count_tile(late - 1u);
        if (!done && at == late - 1u) {
            sum += recount[digit];
            done = at == 0u;
            --at;
        }
        publish(late - 1u, kTileOnly | recount[min(digit, kBins - 1u)]);
        if (digit == 0u) late_tile = 0u;
        barrier();
    }
    return sum;
}

void main() {
    if (own_index() == 0u) {
        ticket = atomicAdd(tickets.words[params.pass], 1u);
        late_tile = 0u;
    }
    barrier();
    uint tile = ticket;
    uint count = element_count(params.most);
    if (tile >= tiles_of(count, kTile)) return;
    uint first = tile * kTile;
    uint elements = min(count - first, kTile);
    uint digit = own_index();

    fetch_keys(first, elements);
    take_keys();
    if (digit < kBins) next_status.words[tile * kBins + digit] = 0u;
    uint in_tile = count_digits();
    publish(tile, (tile == 0u ? kWithBefore : kTileOnly) | in_tile);
    uint start = begin_digits(in_tile);
    place_elements();
#if VALUE_WORDS > 0
    load_values(first, elements);
#endif
    uint before = look_back(tile);
    publish(tile, kWithBefore | (before + in_tile));
    if (digit < kBins) destination[digit] = starts.words[params.pass * kBins + digit] + before - start;
    store_elements(elements);
}
