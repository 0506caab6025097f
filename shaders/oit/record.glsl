// A triangle on the screen, for oit/tile_setup and oit/tile_blend. C++: passes/oit/compute.cpp.
//
// Corners are in 1/256 pixel, and go around so that edges have what they enclose on the side where
// their function is positive. What is covered is exact from there on, by the top-left rule.
const uint kRecordQuads = 3u;
const int kSubpixels = 256;

struct Record {
    ivec2 a;
    ivec2 b;
    ivec2 c;
    uint triangle;
    vec3 depth;  // at corner a, and what a pixel to the right and a pixel down add
    uvec2 bounds; // first and last pixel, x in the lower half
};

// floor(value / 256), for values of two words that go on to be compared with 0 within a tile only:
// cut off far from there.
int share_of_256(int high, uint low) {
    if (high >= 64) return 1 << 30;
    if (high < -64) return -(1 << 30);
    return (high << 24) | int(low >> 8u);
}

// a * b - c * d in two words.
void cross_words(int a, int b, int c, int d, out int high, out uint low) {
    int high_ab, low_ab, high_cd, low_cd;
    imulExtended(a, b, high_ab, low_ab);
    imulExtended(c, d, high_cd, low_cd);
    uint borrow;
    low = usubBorrow(uint(low_ab), uint(low_cd), borrow);
    high = high_ab - high_cd - int(borrow);
}

// The function of an edge from p to q: at the middle of `pixel`, and what a pixel to the right and
// one down add. A pixel is on the inner side where it is 0 or more.
ivec3 edge_at(ivec2 p, ivec2 q, ivec2 pixel) {
    ivec2 along = q - p;
    ivec2 place = pixel * kSubpixels + kSubpixels / 2 - p;
    int high;
    uint low;
    cross_words(along.x, place.y, along.y, place.x, high, low);
    bool top_left = along.y < 0 || (along.y == 0 && along.x > 0);
    if (!top_left) { // 0 itself is outside
        uint borrow;
        low = usubBorrow(low, 1u, borrow);
        high -= int(borrow);
    }
    return ivec3(share_of_256(high, low), -along.y, along.x);
}
