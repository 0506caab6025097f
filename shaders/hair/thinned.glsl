// Which strands are drawn where fewer of them are. The first few of this order are spread evenly over
// all strands, so over groups and the scalp too, and more strands contain fewer. C++:
// `thinned_hair` of passes/hair/detail.hpp.
#ifndef HAIR_THINNED
#define HAIR_THINNED

layout(constant_id = 2) const uint has_thinning = 0u;

// i * stride modulo count, of at most 22 bits each: bytes of i one after the other, so that no product
// has more than 32.
uint thinned(uint i, uint count, uint stride) {
    if (has_thinning == 0u) return i;
    uint at = (i >> 16u) * stride % count;
    at = (at * 256u % count + ((i >> 8u) & 255u) * stride) % count;
    return (at * 256u % count + (i & 255u) * stride) % count;
}

#endif
