// Coefficients as whole numbers, and what they take in the file.
#ifndef JPEG_QUANTISE
#define JPEG_QUANTISE

const int kMaxDc = 2047; // no more than there are codes for
const int kMaxAc = 1023;
const uint kEndOfBlock = 0x00u;
const uint kSixteenZeros = 0xf0u;

// To the nearest whole number, halves away from 0.
int quantise(float value, float factor, int most) {
    precise float scaled = abs(value) * factor;
    int size = min(int(floor(scaled + 0.5)), most);
    return value < 0.0 ? -size : size;
}

// Bits of a coefficient's size.
uint category(int value) {
    return value == 0 ? 0u : uint(findMSB(uint(abs(value)))) + 1u;
}

// The bits that tell the value, of which there are `size`.
uint amplitude(int value, uint size) {
    return uint(value < 0 ? value - 1 : value) & ((1u << size) - 1u);
}

// The last coefficient before `number` that is not 0 or is the first; bit n of `mask`: number n is not 0.
uint nonzero_before(uint number, uvec2 mask) {
    uint low = mask.x | 1u;
    if (number < 32u) return uint(findMSB(low & (1u << number) - 1u));
    uint high = mask.y & (1u << (number - 32u)) - 1u;
    return high != 0u ? 32u + uint(findMSB(high)) : uint(findMSB(low));
}
#endif
