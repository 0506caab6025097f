// The coefficients of the blocks, as jpeg/encode_transform leaves them. Include after shape.glsl.
#include "quantise.glsl"

// 32 words to a block: word n holds coefficients n (the low bits) and n + 32, in the order of the file.
readonly buffer Coefficients { uint pairs[]; } coefficients;
readonly buffer Masks { uvec2 words[]; } masks; // which coefficients but the first are not 0
// The first coefficient; above its 16 bits how many bits the codes of the others take, where that is known.
readonly buffer Heads { uint words[]; } heads;

int coefficient(uint block, uint number) {
    uint pair = coefficients.pairs[block * 32u + number % 32u];
    return number >= 32u ? int(pair) >> 16 : int(pair << 16) >> 16;
}

int first_coefficient(uint block) {
    return int(heads.words[block] << 16) >> 16;
}

// To the first coefficient of the block before.
int first_difference(uint block) {
    uint before = block_before(block);
    return first_coefficient(block) - (before == kNoBlock ? 0 : first_coefficient(before));
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
