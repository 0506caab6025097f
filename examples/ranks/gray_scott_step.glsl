// A step of the Gray-Scott model: Pearson, "Complex patterns in a simple system", Science 261,
// 1993.

// The neighbours of a cell, and their weights in the Laplacian.
const ivec2 kSteps[8] = ivec2[](ivec2(-1, 0), ivec2(1, 0), ivec2(0, -1), ivec2(0, 1), ivec2(-1, -1),
                                ivec2(1, -1), ivec2(-1, 1), ivec2(1, 1));
const float kWeights[8] = float[](0.2, 0.2, 0.2, 0.2, 0.05, 0.05, 0.05, 0.05);

bool lies_in_halo(ivec2 texel, ivec2 size) {
    return any(lessThan(texel, ivec2(1))) || any(greaterThanEqual(texel, size - 1));
}

// Whether a cell is in the halo or has a neighbour there.
bool touches_halo(ivec2 texel, ivec2 size) {
    return any(lessThan(texel, ivec2(2))) || any(greaterThanEqual(texel, size - 2));
}

vec2 reacted(vec2 value, vec2 around, float feed, float kill) {
    precise vec2 spread = around - value;
    precise float reaction = value.x * value.y * value.y;
    precise vec2 change = vec2(spread.x - reaction + feed * (1.0 - value.x),
                               0.5 * spread.y + reaction - (feed + kill) * value.y);
    return value + change;
}
