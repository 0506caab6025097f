#version 460
// Writes into a corner of a picture how many voxels a grid has, and how many times as many as another.
layout(local_size_x = 8, local_size_y = 8) in;

uniform sampler2D source;
readonly buffer Status { uint words[]; } status; //! doc of the grid: begins with its number of voxels
readonly buffer First { uint words[]; } first;   //! doc of the grid that it is compared with
layout(rgba8) writeonly uniform image2D result;

const uint kDot = 10u, kTimes = 11u, kBlank = 12u;
const int kWide = 5, kHigh = 7, kAdvance = 6; // of a letter, in dots
const int kLetters = 16;

// Seven rows of five dots, the highest row and the left dot in the lowest bits; four rows in the first word.
const uvec2 kFont[13] = uvec2[](
    uvec2(0xae62eu, 0x3a33u), uvec2(0x210c4u, 0x3884u), uvec2(0x6422eu, 0x7c22u),
    uvec2(0x4111fu, 0x3a30u), uvec2(0x4a988u, 0x211fu), uvec2(0x83c3fu, 0x3a30u),
    uvec2(0x7844cu, 0x3a31u), uvec2(0x2221fu, 0x0842u), uvec2(0x7462eu, 0x3a31u),
    uvec2(0xf462eu, 0x1910u), uvec2(0x00000u, 0x3180u), uvec2(0x54400u, 0x4544u),
    uvec2(0x00000u, 0x0000u));

// The number without leading zeros from the place `at` on; returns the place behind it.
int put(inout uint text[kLetters], int at, uint number) {
    int digits = 1;
    for (uint rest = number / 10u; rest > 0u; rest /= 10u) ++digits;
    for (int i = digits - 1; i >= 0; --i, number /= 10u)
        if (at + i < kLetters) text[at + i] = number % 10u;
    return at + digits;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    vec4 color = texelFetch(source, texel, 0);

    int dot_side = max(size.y / 190, 1);
    ivec2 place = (texel - ivec2(6, size.y - 6 - kHigh * dot_side)) / dot_side;
    int letter = place.x / kAdvance, column = place.x % kAdvance;
    if (all(greaterThanEqual(texel, ivec2(6, size.y - 6 - kHigh * dot_side))) && place.y < kHigh &&
        letter < kLetters && column < kWide) {
        uint text[kLetters];
        for (int i = 0; i < kLetters; ++i) text[i] = kBlank;
        int at = put(text, 0, status.words[0]) + 1;
        uint hundredths = uint(100.0 * float(status.words[0]) / float(max(first.words[0], 1u)) + 0.5);
        if (at < kLetters) text[at] = kTimes;
        at = put(text, at + 1, hundredths / 100u);
        if (at < kLetters) text[at] = kDot;
        if (at + 1 < kLetters) text[at + 1] = hundredths / 10u % 10u;
        if (at + 2 < kLetters) text[at + 2] = hundredths % 10u;
        uvec2 rows = kFont[text[letter]];
        uint row = (place.y < 4 ? rows.x >> (5 * place.y) : rows.y >> (5 * (place.y - 4))) & 31u;
        if ((row >> column & 1u) != 0u) color = vec4(0.94, 0.94, 0.94, 1.0);
    }
    imageStore(result, texel, color);
}
