// Rounding to floats of 16 bits.
#ifndef TUFF_HALF_FLOAT
#define TUFF_HALF_FLOAT

// The nearest float of 16 bits, to even between two; too large numbers become infinite. By integers: compilers
// drop packHalf2x16 where unpackHalf2x16 follows.
float rounded_to_half(float number) {
    uint bits = floatBitsToUint(number);
    uint sign = bits & 0x80000000u;
    uint size = bits ^ sign;
    if (size >= 0x7f800000u) return number;                            // infinite, or no number
    if (size >= 0x477ff000u) return uintBitsToFloat(sign | 0x7f800000u); // from 65,520 on
    if (size < 0x38800000u) { // below the least normal one they are multiples of 2^-24
        float multiple = roundEven(uintBitsToFloat(size) * 16777216.0) / 16777216.0;
        return uintBitsToFloat(sign | floatBitsToUint(multiple));
    }
    size += 0xfffu + (size >> 13u & 1u);
    return uintBitsToFloat(sign | (size & ~0x1fffu));
}

vec4 rounded_to_half(vec4 numbers) {
    return vec4(rounded_to_half(numbers.x), rounded_to_half(numbers.y), rounded_to_half(numbers.z),
                rounded_to_half(numbers.w));
}

#endif
