#version 460
// Writes a number into a picture, letter by letter, at the right of its field.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D atlas; // letters side by side, in the order of passes/image/numbers.hpp
uniform writeonly image2D result;
readonly buffer Values { uint words[]; } values;

uniform Params {
    ivec2 corner;
    uint letter; // width of one, texels
    uint word;
    uint letters; // of the field
    uint decimals;
    uint whole; // the word is a whole number, not a float
} params;

const uint kMinus = 10u;
const uint kPoint = 11u;
const uint kHash = 12u;
const uint kN = 13u, kA = 14u, kI = 15u, kF = 16u;
const uint kBlank = 17u;
const float kMax = 4294967040.0; // the greatest float below 2^32

uint power_of_ten(uint exponent) {
    uint power = 1u;
    for (uint i = 0u; i < exponent; ++i) power *= 10u;
    return power;
}

// A word from the right end of the field.
uint letter_of_word(uint place, uint last, uint middle, uint first, bool negative) {
    if (place == 0u) return last;
    if (place == 1u) return middle;
    if (place == 2u) return first;
    return place == 3u && negative ? kMinus : kBlank;
}

// The letter that is number `place` from the right.
uint letter_at(uint place) {
    uint word = values.words[params.word];
    bool negative = false;
    uint digits = word; // with the decimals as whole ones
    if (params.whole == 0u) {
        float value = uintBitsToFloat(word);
        negative = value < 0.0;
        bool special = (word & 0x7f800000u) == 0x7f800000u;
        bool is_nan = special && (word & 0x007fffffu) != 0u;
        if (special && params.letters < (negative && !is_nan ? 4u : 3u)) return kHash;
        if (is_nan) return letter_of_word(place, kN, kA, kN, false);
        if (special) return letter_of_word(place, kF, kN, kI, negative);
        float scaled = floor(abs(value) * float(power_of_ten(params.decimals)) + 0.5);
        if (scaled > kMax) return kHash;
        digits = uint(scaled);
        negative = negative && digits != 0u;
    }
    // How many letters there are: at least a digit before the point.
    uint count = 1u;
    for (uint rest = digits / 10u; rest != 0u; rest /= 10u) ++count;
    count = max(count, params.decimals + 1u);
    uint all = count + (params.decimals != 0u ? 1u : 0u) + (negative ? 1u : 0u);
    if (all > params.letters) return kHash;
    if (params.decimals != 0u) {
        if (place == params.decimals) return kPoint;
        if (place > params.decimals) --place;
    }
    if (place < count) return place < 10u ? digits / power_of_ten(place) % 10u : 0u;
    return place == count && negative ? kMinus : kBlank;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 to = params.corner + texel;
    uint column = uint(texel.x) / params.letter;
    if (column >= params.letters || texel.y >= textureSize(atlas, 0).y ||
        any(greaterThanEqual(to, imageSize(result)))) return;
    uint letter = letter_at(params.letters - 1u - column);
    ivec2 from = ivec2(letter * params.letter + uint(texel.x) % params.letter, texel.y);
    imageStore(result, to, texelFetch(atlas, from, 0));
}
