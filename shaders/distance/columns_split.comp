#version 460
// The least over a column of the rows' squared distances and that along the column, in a sweep
// downwards and one upwards. Each row offers its square to the rows behind it: to those k rows away
// with 2k - 1 below the difference to the next row's square, for where that is no more the next row
// is as good; and only as far as the first row that is as good itself, which is so for all rows
// behind it, too. Both are judged by the rows as they are, not by what they have been offered.
//! variants UPWARD=0,1 SQUARED=0,1 TABLE=0,1 except 0,1,1 1,1,1

layout(local_size_x = 64) in;

uniform usampler2D rows; // SQUARED: squares
#if TABLE
readonly buffer Squares { uint of[]; } squares;
#endif
buffer Least { uint values[]; } least; // row by row; begins as more than any square
#if UPWARD
uniform writeonly uimage2D field;
#endif

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

// The i-th row in the direction of the sweep.
int row_of(int i, int height) {
    return UPWARD != 0 ? height - 1 - i : i;
}
uint square_at(ivec2 texel) {
    uint along = texelFetch(rows, texel, 0).r;
    if (along >= params.far) return params.most;
    return SQUARED != 0 ? along : along * along;
}

void offer(int x, int i, uint here, uint next, ivec2 size) {
    int reach = min(int((next - here) / 2u), size.y - 1 - i);
    for (int k = 1; k <= reach; ++k) {
        uint offered = here + square_of(k);
        ivec2 texel = ivec2(x, row_of(i + k, size.y));
        if (square_at(texel) <= offered) return;
        uint place = uint(texel.y) * uint(size.x) + uint(x);
        least.values[place] = min(least.values[place], offered);
    }
}

void main() {
    ivec2 size = textureSize(rows, 0);
    int x = int(gl_GlobalInvocationID.x);
    if (x >= size.x) return;
    uint here = square_at(ivec2(x, row_of(0, size.y)));
    for (int i = 0; i + 1 < size.y; ++i) {
        uint next = square_at(ivec2(x, row_of(i + 1, size.y)));
        if (next > here + 1u) offer(x, i, here, next, size);
        here = next;
    }
#if UPWARD
    for (int y = 0; y < size.y; ++y) {
        uint offered = least.values[uint(y) * uint(size.x) + uint(x)];
        imageStore(field, ivec2(x, y), uvec4(min(offered, square_at(ivec2(x, y)))));
    }
#endif
}
