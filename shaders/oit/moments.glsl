#ifndef OIT_MOMENTS
#define OIT_MOMENTS
// How the light of a pixel is absorbed along the way, by four power moments of depth
// (Muenstermann, Krumpen, Klein and Peters, "Moment-Based Order-Independent Transparency", 2018).

struct Moments {
    float optical; // sum of the fragments' optical depths
    vec4 powers;   // the same of these times depth, its square, cube and fourth power
};

// Of alpha 1 it would be infinite: what lets through less than exp(-10) = 4.5e-5 counts as letting
// that through, a tenth of a step of half floats below 1. A higher limit would leave less of the
// moments to the layers beside. The authors' programs have the same (ABSORBANCE_MAX_VALUE of their
// header MomentOIT, momentsingraphics.de).
const float kMaxOpticalDepth = 10.0;

float optical_depth(float alpha) {
    return min(-log(max(1.0 - alpha, 1e-6)), kMaxOpticalDepth);
}

Moments moments_of(float optical, float depth) {
    float square = depth * depth;
    return Moments(optical, optical * vec4(depth, square, square * depth, square * square));
}

// From clip space to -1 to 1, linear or as the logarithm of the distance. `warp`: C++:
// passes/oit/moments.cpp.
float moment_depth(float depth, vec4 warp) {
    float place = warp.w == 0.0 ? depth - warp.x : log(warp.y / (depth - warp.x));
    return clamp(place * warp.z - 1.0, -1.0, 1.0);
}

// Rounded moments may be those of nothing real: their Hankel matrix is not positive then. Mixed with
// a little of moments that surely are something's it is again. Moments of at most 1 are off by up to
// 2^-25 where they are rounded once, eight entries of the matrix are moments, and the least
// eigenvalue of what is mixed in is 0.199: sqrt(8) 2^-25 / 0.199 = 4.2e-7 is enough. The paper's
// supplement recommends 5e-7 for 32-bit floats, and 6e-5 for 16 bits.
const float kMomentBias = 5e-7;
const vec4 kBiasMoments = vec4(0.0, 0.375, 0.0, 0.375);

// The Hankel matrix of moments, 1 b1 b2 | b1 b2 b3 | b2 b3 b4, as L D L^T.
struct Hankel {
    float b1;
    float b2;
    float l;  // below the diagonal of L's second column
    float d1; // D: 1, d1, d2
    float d2;
};

Hankel hankel(vec4 b) {
    // Below these rounding alone is left.
    const float kSmallest = 1e-9;
    Hankel h;
    h.b1 = b.x;
    h.b2 = b.y;
    h.d1 = max(b.y - b.x * b.x, kSmallest);
    float below = b.z - b.x * b.y;
    h.l = below / h.d1;
    h.d2 = max(b.w - b.y * b.y - h.l * below, kSmallest);
    return h;
}

// L^-1 (1, x, x^2) without its first number, which is 1.
vec2 solved_half(Hankel h, float x) {
    float first = x - h.b1;
    return vec2(first, x * x - h.b2 - h.l * first);
}

// The most that a distribution with these moments can have at one depth.
float most_at(Hankel h, float x) {
    vec2 half_solved = solved_half(h, x);
    return 1.0 / (1.0 + half_solved.x * half_solved.x / h.d1 + half_solved.y * half_solved.y / h.d2);
}

// The two depths at which the distribution lies that has most at `depth`: roots of
// (1, x, x^2) B^-1 (1, depth, depth^2), which are real.
vec2 other_depths(Hankel h, float depth) {
    // A root that nothing lies at may be anywhere: as far as this its square is still a float.
    const float kFarAway = 1e6;
    vec2 half_solved = solved_half(h, depth);
    float c2 = half_solved.y / h.d2;
    float c1 = half_solved.x / h.d1 - h.l * c2;
    float c0 = 1.0 - h.b1 * c1 - h.b2 * c2;
    float root = sqrt(max(c1 * c1 - 4.0 * c2 * c0, 0.0));
    float q = -0.5 * (c1 + (c1 < 0.0 ? -root : root));
    float a = abs(q) < kFarAway * abs(c2) ? q / c2 : kFarAway;
    float b = abs(c0) < kFarAway * abs(q) ? c0 / q : kFarAway;
    return vec2(a, b);
}

// How much comes through to what lies at `depth`. Moments tell bounds: the most and the least
// optical depth that can lie before it; `share` goes from the least, 0, to the most, 1.
float transmittance(Moments m, float depth, float share) {
    if (m.optical < 1e-12) return 1.0;
    vec4 b = mix(m.powers / m.optical, kBiasMoments, kMomentBias);
    Hankel h = hankel(b);
    vec2 others = other_depths(h, depth);
    float here = most_at(h, depth);
    vec2 there = vec2(most_at(h, others.x), most_at(h, others.y));
    float before = share * here + dot(there, vec2(lessThan(others, vec2(depth))));
    return exp(-m.optical * before / (here + there.x + there.y));
}

#endif
