// Lookups in a summed-area table of a volume; summed_area.glsl explains them for pictures.

ivec3 texel_of_corner(ivec3 corner, ivec3 origin) {
    return corner - ivec3(greaterThan(corner, origin));
}

vec4 corner_sum(sampler3D sums, ivec3 corner, ivec3 origin) {
    ivec3 side = sign(corner - origin);
    int sign_of_sum = side.x * side.y * side.z;
    if (sign_of_sum == 0) return vec4(0.0);
    return float(sign_of_sum) * texelFetch(sums, texel_of_corner(corner, origin), 0);
}

uvec4 corner_sum(usampler3D sums, ivec3 corner, ivec3 origin) {
    ivec3 side = sign(corner - origin);
    int sign_of_sum = side.x * side.y * side.z;
    if (sign_of_sum == 0) return uvec4(0u);
    uvec4 sum = texelFetch(sums, texel_of_corner(corner, origin), 0);
    return sign_of_sum < 0 ? ~sum + 1u : sum;
}

// The sum over the texels from `low` up to, but not including, `high`: the eight corners, those with
// an odd number of low coordinates negative.
vec4 box_sum(sampler3D sums, ivec3 low, ivec3 high, ivec3 origin) {
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 8; ++i) {
        bvec3 at_low = bvec3((i & 1) != 0, (i & 2) != 0, (i & 4) != 0);
        vec4 corner = corner_sum(sums, mix(high, low, at_low), origin);
        sum += (bitCount(i) & 1) != 0 ? -corner : corner;
    }
    return sum;
}

uvec4 box_sum(usampler3D sums, ivec3 low, ivec3 high, ivec3 origin) {
    uvec4 sum = uvec4(0u);
    for (int i = 0; i < 8; ++i) {
        bvec3 at_low = bvec3((i & 1) != 0, (i & 2) != 0, (i & 4) != 0);
        uvec4 corner = corner_sum(sums, mix(high, low, at_low), origin);
        sum += (bitCount(i) & 1) != 0 ? ~corner + 1u : corner;
    }
    return sum;
}
