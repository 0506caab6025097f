// The codes of a block: include after the buffers `coefficients` and `masks` of jpeg/encode_transform
// and `codes`, and shape.glsl.

// Of luma and then of chroma: 12 codes of first coefficients, 256 of the others; length << 16 | bits.
readonly buffer Codes { uint words[536]; } codes;

const uint kEndOfBlock = 0x00u;
const uint kSixteenZeros = 0xf0u;

int coefficient(uint block, uint number) {
    uint pair = coefficients.pairs[block * 32u + number / 2u];
    return (number & 1u) != 0u ? int(pair) >> 16 : int(pair << 16) >> 16;
}

// Bits of a coefficient's size.
uint category(int value) {
    return value == 0 ? 0u : uint(findMSB(uint(abs(value)))) + 1u;
}

uint table_of(uint block) {
    return is_chroma(block) ? 268u : 0u;
}

int first_difference(uint block) {
    uint before = block_before(block);
    return coefficient(block, 0u) - (before == kNoBlock ? 0 : coefficient(before, 0u));
}

// The next coefficient of the block that is not 0: takes it out of `left` and returns its number.
uint take_next(inout uvec2 left) {
    if (left.x != 0u) {
        uint number = uint(findLSB(left.x));
        left.x &= left.x - 1u;
        return number;
    }
    uint number = 32u + uint(findLSB(left.y));
    left.y &= left.y - 1u;
    return number;
}
