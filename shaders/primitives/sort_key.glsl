// Keys of one or two words and their order. Before the include, define KEY_WORDS.
//
// Two words are one number: the low word first. Signed and float keys keep their sign in the last
// word; floats are in their total order (primitives/elements.glsl).
#include "elements.glsl"

layout(constant_id = 8) const uint descending = 0u;

const uint kOrderMask = descending != 0u ? 0xffffffffu : 0u;

#if KEY_WORDS == 1
#define Key uint

// A number whose unsigned order is the order asked for.
Key sort_key(Key bits) {
    return ordered_key(bits) ^ kOrderMask;
}
Key from_sort_key(Key key) {
    return from_ordered_key(key ^ kOrderMask);
}
// No key comes after it.
Key last_key() {
    return 0xffffffffu;
}
bool key_before(Key a, Key b) {
    return a < b;
}
uint digit_of(Key key, uint shift, uint mask) {
    return (key >> shift) & mask;
}
#else
#define Key uvec2

// The low word of a negative float is complemented with the high one.
uint low_mask(uint high_bits) {
    return element_type == kFloat && (high_bits >> 31) != 0u ? 0xffffffffu : 0u;
}
Key sort_key(Key bits) {
    return uvec2(bits.x ^ low_mask(bits.y), ordered_key(bits.y)) ^ kOrderMask;
}
Key from_sort_key(Key key) {
    key ^= kOrderMask;
    uint high = from_ordered_key(key.y);
    return uvec2(key.x ^ low_mask(high), high);
}
Key last_key() {
    return uvec2(0xffffffffu);
}
bool key_before(Key a, Key b) {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}
// The digit may begin in the low word and end in the high one.
uint digit_of(Key key, uint shift, uint mask) {
    if (shift >= 32u) return (key.y >> (shift - 32u)) & mask;
    uint low = key.x >> shift;
    return (shift == 0u ? low : low | (key.y << (32u - shift))) & mask;
}
#endif
