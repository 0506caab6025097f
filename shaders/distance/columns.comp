#version 460
// The least over a column of the rows' squared distances and that along the column.
//! variants BRUTE=0,1 SQUARED=0,1 TABLE=0,1 except 0,1,1 1,1,1

layout(local_size_x = 32, local_size_y = 8) in;

uniform usampler2D rows; // SQUARED: squares
#if TABLE
readonly buffer Squares { uint of[]; } squares;
#endif
uniform writeonly uimage2D field;

uniform Params {
    uint far;  // of a row without an object near enough, squared or not
    uint most; // of a texel without one
} params;

uint square_of(int distance_across) {
#if TABLE
    return squares.of[distance_across];
#else
    return uint(distance_across * distance_across);
#endif
}

uint at_row(ivec2 texel, int y) {
    uint along = texelFetch(rows, ivec2(texel.x, y), 0).r;
    if (along >= params.far) return params.most;
    return (SQUARED != 0 ? along : along * along) + square_of(abs(y - texel.y));
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(field);
    if (any(greaterThanEqual(texel, size))) return;
    uint least = params.most;
#if BRUTE
    for (int y = 0; y < size.y; ++y) least = min(least, at_row(texel, y));
#else
    least = min(least, at_row(texel, texel.y));
    for (int n = 1; n < size.y && square_of(n) < least; ++n) {
        if (texel.y >= n) least = min(least, at_row(texel, texel.y - n));
        if (texel.y + n < size.y) least = min(least, at_row(texel, texel.y + n));
    }
#endif
    imageStore(field, texel, uvec4(least));
}
