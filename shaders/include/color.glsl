// Luminance of linear Rec. 709 / sRGB primaries (ITU-R BT.709-6, section 3.2).
float luminance(vec3 linear_rgb) {
    return dot(linear_rgb, vec3(0.2126, 0.7152, 0.0722));
}

// The sRGB transfer function, linear [0, 1] to encoded [0, 1] (IEC 61966-2-1).
vec3 srgb_encode(vec3 linear_rgb) {
    vec3 toe = 12.92 * linear_rgb;
    vec3 curve = 1.055 * pow(max(linear_rgb, vec3(0.0031308)), vec3(1.0 / 2.4)) - 0.055;
    return mix(curve, toe, lessThanEqual(linear_rgb, vec3(0.0031308)));
}
