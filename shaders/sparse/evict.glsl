#ifndef SPARSE_EVICT
#define SPARSE_EVICT
// The search for the cut between the claims that get a slot and the others, digit by digit of their
// keys from the highest: the n-th largest key is found without sorting.

buffer Search { // EvictSearch in passes/sparse/evict.cpp
    uvec2 cut;    // weight and number of the last claim that gets a slot
    uvec2 digits; // of its key, as far as they are known
    uint needed;  // claims still to choose among those that begin with these; 0: there is no cut
    uint unused;
    uint bins[256]; // claims by their next digit
} search;

// Eight digits of eight bits: the weight, and below it the number upside down, so that no two keys
// are the same and the lower number is first.
uvec2 key_of(uint number, uint weight) {
    return uvec2(weight, ~number);
}
uint digit_of(uvec2 key, uint digit) {
    return (digit >= 4u ? key.x >> (8u * (digit - 4u)) : key.y >> (8u * digit)) & 255u;
}
bool has_digits_above(uvec2 key, uvec2 digits, uint digit) {
    if (digit == 7u) return true;
    if (digit >= 4u) return key.x >> (8u * (digit - 3u)) == digits.x >> (8u * (digit - 3u));
    if (key.x != digits.x) return false;
    return digit == 3u || key.y >> (8u * (digit + 1u)) == digits.y >> (8u * (digit + 1u));
}
uvec2 with_digit(uvec2 digits, uint digit, uint value) {
    if (digit >= 4u) return digits | uvec2(value << (8u * (digit - 4u)), 0u);
    return digits | uvec2(0u, value << (8u * digit));
}

#endif
