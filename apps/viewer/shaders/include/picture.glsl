// How the value of a texel becomes a colour on the screen.

const uint kChannelsColor = 0u; // 1 to 4: that channel as grey
const uint kChannelsLuminance = 5u;

const uint kFlagEncoded = 1u;   // the numbers are those of the screen, not linear light
const uint kFlagMarkFaults = 2u; // NaN and infinity get colours of their own

const vec3 kNotANumberColor = vec3(1.0, 0.0, 1.0);
const vec3 kInfinityColor = vec3(0.0, 1.0, 1.0);

// The transfer functions of sRGB (IEC 61966-2-1).
vec3 to_linear(vec3 c) {
    return mix(c / 12.92, pow((max(c, 0.0) + 0.055) / 1.055, vec3(2.4)),
               greaterThan(c, vec3(0.04045)));
}
vec3 to_screen(vec3 c) {
    c = clamp(c, 0.0, 1.0);
    return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, greaterThan(c, vec3(0.0031308)));
}

// `range`: the values shown as black and white; `gain`: 2^stops.
vec3 shown_texel(vec4 value, vec2 range, float gain, uint channels, uint flags) {
    vec3 c = value.rgb;
    if (channels == kChannelsLuminance)
        c = vec3(dot(c, vec3(0.2126, 0.7152, 0.0722))); // ITU-R BT.709
    else if (channels != kChannelsColor)
        c = vec3(value[channels - 1u]);
    if ((flags & kFlagMarkFaults) != 0u) {
        const vec4 seen = channels == kChannelsColor || channels == kChannelsLuminance
                              ? vec4(value.rgb, 0.0)
                              : vec4(c, 0.0);
        if (any(isnan(seen))) return kNotANumberColor;
        if (any(isinf(seen))) return kInfinityColor;
    }
    c = (c - range.x) / (range.y - range.x);
    const bool encoded = (flags & kFlagEncoded) != 0u;
    if (encoded && gain == 1.0) return clamp(c, 0.0, 1.0);
    return to_screen((encoded ? to_linear(c) : c) * gain);
}
