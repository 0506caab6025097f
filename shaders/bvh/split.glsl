// Where sorted codes part: the hierarchy is the tree of their common prefixes. Leaf i and leaf i + 1
// part at the highest bit in which they differ; equal codes part by the leaves' numbers, so that
// every path has at most 60 and 26 levels. Two places where a node's range may go on are never at
// one bit: there the codes change from 0 to 1, and between the two they would have to change back.

layout(constant_id = 0) const uint wide = 0u; // 1: codes of two words

readonly buffer Codes { uint values[]; } codes; // sorted

const uint kNoPart = 255u; // before the first leaf and after the last

uint part_of(uvec2 a, uvec2 b, uint i) {
    uvec2 differ = a ^ b;
    if (differ.y != 0u) return 64u + uint(findMSB(differ.y));
    if (differ.x != 0u) return 32u + uint(findMSB(differ.x));
    return uint(findMSB(i ^ (i + 1u)));
}

uvec2 code_at(uint i) {
    return wide != 0u ? uvec2(codes.values[2u * i], codes.values[2u * i + 1u])
                      : uvec2(codes.values[i], 0u);
}

// Between leaf i and the next of `leaves`; i may be ~0, before the first.
uint part_after(uint i, uint leaves) {
    if (i + 1u == 0u || i + 1u >= leaves) return kNoPart;
    return part_of(code_at(i), code_at(i + 1u), i);
}
