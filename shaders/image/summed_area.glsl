// Lookups in a summed-area table.
//
// Corners of texels are numbered from 0 to the size. The table is F(c), the integral from the origin
// to corner c, negative where one of the two axes runs backwards; the sum over the box [low, high)
// is F(high.x, high.y) - F(low.x, high.y) - F(high.x, low.y) + F(low.x, low.y) wherever the origin
// lies. In memory, texel t holds the sum over the texels from the origin to t, t included, without
// a sign; the lines through the origin, where F is 0, are not stored.

// The texel that corner `corner` is stored in, and the sign it is read with (0 at the origin).
int texel_of_corner(int corner, int origin) {
    return corner > origin ? corner - 1 : corner;
}

vec4 corner_sum(sampler2D sums, ivec2 corner, ivec2 origin) {
    ivec2 from_origin = sign(corner - origin);
    if (from_origin.x == 0 || from_origin.y == 0) return vec4(0.0);
    ivec2 texel = ivec2(texel_of_corner(corner.x, origin.x), texel_of_corner(corner.y, origin.y));
    return float(from_origin.x * from_origin.y) * texelFetch(sums, texel, 0);
}

// Modulo 2^32: exact wherever the sum over the box itself fits.
uvec4 corner_sum(usampler2D sums, ivec2 corner, ivec2 origin) {
    ivec2 from_origin = sign(corner - origin);
    if (from_origin.x == 0 || from_origin.y == 0) return uvec4(0u);
    ivec2 texel = ivec2(texel_of_corner(corner.x, origin.x), texel_of_corner(corner.y, origin.y));
    uvec4 sum = texelFetch(sums, texel, 0);
    return from_origin.x * from_origin.y < 0 ? ~sum + 1u : sum;
}

// The sum over the texels from `low` up to, but not including, `high`.
vec4 box_sum(sampler2D sums, ivec2 low, ivec2 high, ivec2 origin) {
    return (corner_sum(sums, high, origin) - corner_sum(sums, ivec2(low.x, high.y), origin)) -
           (corner_sum(sums, ivec2(high.x, low.y), origin) - corner_sum(sums, low, origin));
}

uvec4 box_sum(usampler2D sums, ivec2 low, ivec2 high, ivec2 origin) {
    return corner_sum(sums, high, origin) - corner_sum(sums, ivec2(low.x, high.y), origin) -
           corner_sum(sums, ivec2(high.x, low.y), origin) + corner_sum(sums, low, origin);
}

// The integral up to a point between corners, to which texels count by the share of them inside.
vec4 point_sum(sampler2D sums, vec2 point, ivec2 origin) {
    ivec2 corner = ivec2(floor(point));
    vec2 share = point - vec2(corner);
    vec4 near = corner_sum(sums, corner, origin);
    if (share.x > 0.0)
        near = mix(near, corner_sum(sums, corner + ivec2(1, 0), origin), share.x);
    if (share.y == 0.0) return near;
    vec4 far = corner_sum(sums, corner + ivec2(0, 1), origin);
    if (share.x > 0.0) far = mix(far, corner_sum(sums, corner + ivec2(1, 1), origin), share.x);
    return mix(near, far, share.y);
}

// The mean over the box that reaches `reach` texels (any number, not negative) to each side of the
// centre of `texel`, beyond its own half; what lies outside the image does not count.
vec4 box_mean(sampler2D sums, ivec2 texel, vec2 reach, ivec2 origin) {
    vec2 low = max(vec2(texel) - reach, vec2(0.0));
    vec2 high = min(vec2(texel) + 1.0 + reach, vec2(textureSize(sums, 0)));
    vec4 sum = (point_sum(sums, high, origin) - point_sum(sums, vec2(low.x, high.y), origin)) -
               (point_sum(sums, vec2(high.x, low.y), origin) - point_sum(sums, low, origin));
    return sum / ((high.x - low.x) * (high.y - low.y));
}
