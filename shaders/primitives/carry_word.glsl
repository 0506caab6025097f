// Carries are moved as words: floats, or unsigned integers where `integers` is 1.
layout(constant_id = 0) const uint integers = 0u;

uint add_words(uint a, uint b) {
    return integers != 0u ? a + b : floatBitsToUint(uintBitsToFloat(a) + uintBitsToFloat(b));
}
