// How colours that are not premultiplied meet: sections 10.1.4 on and 10.2 of "Compositing and
// Blending Level 1" (W3C, 2024). All of them are from 0 to 1.

// The values of BlendMode in passes/image/blend.hpp.
const int kOver = 0;
const int kAdd = 1;
const int kMultiply = 2;
const int kScreen = 3;
const int kMix = 4;
const int kMin = 5;
const int kMax = 6;
const int kDifference = 7;
const int kOverlay = 8;
const int kHardLight = 9;
const int kSoftLight = 10;
const int kColorDodge = 11;
const int kColorBurn = 12;
const int kExclusion = 13;
const int kHue = 14;
const int kSaturation = 15;
const int kColor = 16;
const int kLuminosity = 17;
const int kSubtract = 18;
const int kIn = 19;
const int kOut = 20;
const int kAtop = 21;
const int kXor = 22;

float luminance_of(vec3 c) {
    return dot(c, vec3(0.3, 0.59, 0.11));
}
float saturation_of(vec3 c) {
    return max(max(c.r, c.g), c.b) - min(min(c.r, c.g), c.b);
}
vec3 with_luminance(vec3 c, float luminance) {
    c += luminance - luminance_of(c);
    float low = min(min(c.r, c.g), c.b);
    float high = max(max(c.r, c.g), c.b);
    if (low < 0.0) c = luminance + (c - luminance) * luminance / (luminance - low);
    if (high > 1.0) c = luminance + (c - luminance) * (1.0 - luminance) / (high - luminance);
    return c;
}
vec3 with_saturation(vec3 c, float saturation) {
    float low = min(min(c.r, c.g), c.b);
    float range = saturation_of(c);
    return range > 0.0 ? (c - low) * saturation / range : vec3(0.0);
}

float hard_light(float b, float s) {
    return s <= 0.5 ? 2.0 * b * s : b + (2.0 * s - 1.0) - b * (2.0 * s - 1.0);
}
float soft_light(float b, float s) {
    if (s <= 0.5) return b - (1.0 - 2.0 * s) * b * (1.0 - b);
    float d = b <= 0.25 ? ((16.0 * b - 12.0) * b + 4.0) * b : sqrt(b);
    return b + (2.0 * s - 1.0) * (d - b);
}
float color_dodge(float b, float s) {
    if (b <= 0.0) return 0.0;
    return s >= 1.0 ? 1.0 : min(b / (1.0 - s), 1.0);
}
float color_burn(float b, float s) {
    if (b >= 1.0) return 1.0;
    return s <= 0.0 ? 0.0 : 1.0 - min((1.0 - b) / s, 1.0);
}

vec3 blended_colors(int mode, vec3 b, vec3 s) {
    if (mode == kHue)
        return with_luminance(with_saturation(s, saturation_of(b)), luminance_of(b));
    if (mode == kSaturation)
        return with_luminance(with_saturation(b, saturation_of(s)), luminance_of(b));
    if (mode == kColor) return with_luminance(s, luminance_of(b));
    if (mode == kLuminosity) return with_luminance(b, luminance_of(s));
    if (mode == kExclusion) return b + s - 2.0 * b * s;
    vec3 result;
    for (int c = 0; c < 3; ++c) {
        if (mode == kOverlay) result[c] = hard_light(s[c], b[c]);
        if (mode == kHardLight) result[c] = hard_light(b[c], s[c]);
        if (mode == kSoftLight) result[c] = soft_light(b[c], s[c]);
        if (mode == kColorDodge) result[c] = color_dodge(b[c], s[c]);
        if (mode == kColorBurn) result[c] = color_burn(b[c], s[c]);
    }
    return result;
}
