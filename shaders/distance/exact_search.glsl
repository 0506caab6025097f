#ifndef DISTANCE_EXACT_SEARCH
#define DISTANCE_EXACT_SEARCH
// The sites of texels where objects are dense. The kernel has squares_of(pair, row): of a row's two
// columns, how far the row's objects are, squared; far away for rows outside the picture.

// The places in two columns of the sites of two rows' texels, of the upper row's and then of the
// lower one's, among rows farther and farther away until none can be nearer. Of rows as near the
// upper one wins.
ivec4 search_rows(int pair, int y) {
    ivec2 upper = squares_of(pair, y);
    ivec2 lower = squares_of(pair, y + 1);
    bvec2 to_lower = lessThan(lower + 1, upper);
    bvec2 to_upper = lessThanEqual(upper + 1, lower);
    // Of the upper row's two texels, then of the lower one's.
    ivec4 squares = ivec4(mix(upper, lower + 1, to_lower), mix(lower, upper + 1, to_upper));
    ivec4 nearest = ivec4(y + ivec2(to_lower), y + 1 - ivec2(to_upper));
    upper = squares_of(pair, y - 1);
    lower = squares_of(pair, y + 2);
    for (int k = 1; k * k <= max(max(squares.x, squares.y), max(squares.z, squares.w)); ++k) {
        ivec2 near_far = ivec2(k * k, (k + 1) * (k + 1));
        ivec4 above = upper.xyxy + near_far.xxyy;
        ivec4 below = lower.xyxy + near_far.yyxx;
        upper = squares_of(pair, y - 1 - k);
        lower = squares_of(pair, y + 2 + k);
        nearest = mix(nearest, ivec4(y - k), lessThanEqual(above, squares));
        squares = min(squares, above);
        nearest = mix(nearest, ivec4(y + 1 + k), lessThan(below, squares));
        squares = min(squares, below);
    }
    return nearest;
}

#endif
