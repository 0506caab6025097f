// What a group of the last kernel of a step knows. Atomic operations of all groups on a few words would
// take longer than their work.
struct StatusPart {
    uint fastest; // bits of a float
    float mass;
    uint flags; // cells slowed down, cells set to rest << 16 (at most 256), and kEmptyPart
};
const uint kEmptyPart = 0x80000000u; // no fluid
