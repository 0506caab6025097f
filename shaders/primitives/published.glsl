// What is known of a tile that others look back at.
//
// Words that groups tell each other are written and read by read-modify-write operations. Loads,
// plain or atomic, may be compiled to two, and find two values where one is meant (seen with lavapipe
// of Mesa 22.3). On an NVIDIA H200 atomic loads make scans a fifth slower.
//
// Two invocations publish for a tile, its total and its prefix, and the later may be first: the
// greatest word stays, whose state knows most.

const uint kUnknown = 0u;
const uint kTotalKnown = 1u;  // the tile's own
const uint kPrefixKnown = 2u; // with all tiles before

struct Published {
    uint state;
    uint value;
};
