#ifndef OIT_BLEND
#define OIT_BLEND
// Blending a fragment over, or under, what has been blended so far.

const uint kModeOver = 0u;
const uint kModeAdd = 1u;
const uint kModeMultiply = 2u;
const uint kModePremultiplied = 3u;

// Back to front: `below` is what lies behind, its alpha that of the picture.
vec4 blend_over(vec4 below, vec4 color, uint mode) {
    float a = color.a;
    float covers = a + (1.0 - a) * below.a;
    if (mode == kModeAdd) return vec4(below.rgb + color.rgb * a, below.a);
    if (mode == kModeMultiply) return vec4(below.rgb * mix(vec3(1.0), color.rgb, a), below.a);
    if (mode == kModePremultiplied) return vec4(color.rgb + (1.0 - a) * below.rgb, covers);
    return vec4(color.rgb * a + (1.0 - a) * below.rgb, covers);
}

// Front to back: the light so far, and how much of what lies behind comes through, by channel; the
// fourth channel is for the picture's alpha.
struct Under {
    vec3 light;
    vec4 through;
};

Under nothing_yet() {
    return Under(vec3(0.0), vec4(1.0));
}

void blend_under(inout Under u, vec4 color, uint mode) {
    float a = color.a;
    if (mode == kModeMultiply) {
        u.through.rgb *= mix(vec3(1.0), color.rgb, a);
        return;
    }
    u.light += u.through.rgb * color.rgb * (mode == kModePremultiplied ? 1.0 : a);
    if (mode != kModeAdd) u.through *= 1.0 - a;
}

// Both together: what lies behind `front` is all that `back` is.
Under joined(Under front, Under back) {
    return Under(front.light + front.through.rgb * back.light, front.through * back.through);
}

vec4 put_under(Under u, vec4 background) {
    return vec4(u.light + u.through.rgb * background.rgb,
                1.0 - u.through.a * (1.0 - background.a));
}

// Colours in no order: their weighted sum, in its alpha what comes through them, and the weights'.
vec4 average_over(vec4 below, vec4 sum, float weight) {
    vec3 average = sum.rgb / max(weight, 1e-30);
    return vec4(average * (1.0 - sum.a) + sum.a * below.rgb, 1.0 - sum.a * (1.0 - below.a));
}

#endif
