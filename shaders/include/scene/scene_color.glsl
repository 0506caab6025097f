// The largest finite half: brighter texels, infinite ones among them, count as this bright.
const float kBrightest = 65504.0;

// Scene-linear colour that can be worked with: one bad texel must not become a bad picture.
vec3 usable_color(vec3 color) {
    return clamp(mix(color, vec3(0.0), isnan(color)), 0.0, kBrightest);
}
