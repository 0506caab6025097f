// The orbit of 0 under z <- z^2 + c, begun at z1 = c.
#ifndef MANDELBROT
#define MANDELBROT

// The number that a texel stands for; up is positive. Exactly symmetric about the centre, which
// the picture's `middle` (in texels) stands for; `spacing`: of the texels.
vec2 number_of(ivec2 texel, vec2 center, float spacing, vec2 middle) {
    precise vec2 offset = (vec2(texel) + 0.5 - middle) * spacing;
    precise vec2 c = vec2(center.x + offset.x, center.y - offset.y);
    return c;
}

// The same operations in the same order everywhere, so that all ways of running it agree to the
// bit.
vec2 next_of_orbit(vec2 z, vec2 c) {
    precise float xx = z.x * z.x;
    precise float yy = z.y * z.y;
    precise float xy = z.x * z.y;
    precise float real = xx - yy;
    precise float imaginary = xy + xy;
    precise vec2 next = vec2(real, imaginary) + c;
    return next;
}

// The orbit has left the circle of radius 2, and goes to infinity.
bool has_escaped(vec2 z) {
    precise float xx = z.x * z.x;
    precise float yy = z.y * z.y;
    precise float square = xx + yy;
    return square > 4.0;
}

// Whether an orbit that comes from one number to the other is taken to have come back to it.
bool are_close(vec2 a, vec2 b) {
    const float kClose = 1e-7;
    vec2 apart = a - b;
    return dot(apart, apart) < kClose * kClose;
}
#endif
