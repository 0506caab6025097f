// Pictures of half the size, whose texel i lies over texels 2 i and 2 i + 1.

// The weight of texel (x, y) of the four by four around such a texel: 1 3 3 1 in each direction.
float halving_weight(int x, int y) {
    float across = x == 0 || x == 3 ? 0.125 : 0.375;
    float down = y == 0 || y == 3 ? 0.125 : 0.375;
    return across * down;
}

// The picture of half the size at a texel of the larger one, linear between its texels.
vec3 doubled(sampler2D small, ivec2 texel) {
    ivec2 last = textureSize(small, 0) - 1;
    ivec2 near = min(texel >> 1, last);
    ivec2 far = clamp(near + (texel & 1) * 2 - 1, ivec2(0), last);
    vec3 here = texelFetch(small, near, 0).rgb;
    vec3 beside = texelFetch(small, ivec2(far.x, near.y), 0).rgb;
    vec3 above = texelFetch(small, ivec2(near.x, far.y), 0).rgb;
    vec3 across = texelFetch(small, far, 0).rgb;
    return 0.0625 * (9.0 * here + 3.0 * beside + 3.0 * above + across);
}
