// Complex numbers as vectors: x the real part, y the imaginary one.
#ifndef FFT_COMPLEX
#define FFT_COMPLEX

vec2 times(vec2 a, vec2 b) {
    return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

vec2 conjugate(vec2 a) {
    return vec2(a.x, -a.y);
}

vec2 times_i(vec2 a) {
    return vec2(-a.y, a.x);
}

vec2 times_minus_i(vec2 a) {
    return vec2(a.y, -a.x);
}
#endif
