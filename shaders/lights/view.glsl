// The camera as these kernels know it. In view space x is right, y is up and z is how far away
// something is, in front of the eye above 0. C++: `set_view`.
#ifndef LIGHTS_VIEW
#define LIGHTS_VIEW

// `terms` are P[3][3], P[3][2], P[2][3], P[2][2] of the projection P.
float distance_of(float depth, vec4 terms) {
    return (depth * terms.x - terms.y) / (depth * terms.z - terms.w);
}

float depth_of(float away, vec4 terms) {
    return (terms.y - terms.w * away) / (terms.x - terms.z * away);
}

// How far `distance_of` may be off. P[3][3] and P[2][3] are 0, 1 or -1, so that its products are
// exact and each difference is rounded once.
float distance_error(float away) {
    const float kRounding = 1.0 / 2097152.0; // 2^-21, four units in the last place
    return kRounding * abs(away);
}

// Where the middle of a pixel lies at distance 1, or anywhere where the camera is orthographic.
// `scale`: 1 / P[0][0], 1 / P[1][1].
vec2 slope_of(vec2 pixel, vec2 size, vec2 scale) {
    return ((pixel + 0.5) / size * 2.0 - 1.0) * scale;
}

#endif
