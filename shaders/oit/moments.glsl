#ifndef OIT_MOMENTS
#define OIT_MOMENTS
// How the light of a pixel is absorbed along the way, by four, six or eight power moments of depth
// (Muenstermann, Krumpen, Klein and Peters, "Moment-Based Order-Independent Transparency", 2018).
// MOMENTS says how many.

struct Moments {
    float optical; // sum of the fragments' optical depths
    vec4 powers;   // the same of these times depth, its square, cube and fourth power
#if MOMENTS > 4
    vec4 high;     // of the fifth to the eighth power
#endif
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
    vec4 powers = vec4(depth, square, square * depth, square * square);
#if MOMENTS > 4
    return Moments(optical, optical * powers, optical * powers.w * powers);
#else
    return Moments(optical, optical * powers);
#endif
}

void add(inout Moments sum, Moments m) {
    sum.optical += m.optical;
    sum.powers += m.powers;
#if MOMENTS > 4
    sum.high += m.high;
#endif
}

// From clip space to -1 to 1, linear or as the logarithm of the distance. `warp`: C++:
// passes/oit/moments.cpp.
float moment_depth(float depth, vec4 warp) {
    float place = warp.w == 0.0 ? depth - warp.x : log(warp.y / (depth - warp.x));
    return clamp(place * warp.z - 1.0, -1.0, 1.0);
}

#if MOMENTS == 4

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

#else

// As above, for 32-bit floats by the paper's supplement; the moments that are mixed in are those of
// the authors' header MomentOIT. That they are enough is tested.
const int kPoints = MOMENTS / 2; // and the one at the depth that is asked about
#if MOMENTS == 6
const float kMomentBias = 5e-6;
const float kBiasMoments[MOMENTS] = float[](0.0, 0.48, 0.0, 0.451, 0.0, 0.45);
#else
const float kMomentBias = 5e-5;
const float kBiasMoments[MOMENTS] =
    float[](0.0, 0.75, 0.0, 0.676666666667, 0.0, 0.63, 0.0, 0.60030303030303);
#endif

// The matrix of three diagonals whose eigenvalues are the depths at which a distribution of
// kPoints + 1 points lies. The squares of the eigenvectors' first components are what lies there.
struct Jacobi {
    float d[kPoints + 1]; // the diagonal
    float e[kPoints];     // beside it
    float v[kPoints + 1]; // first components, once it is diagonal
};

// Of the distribution with these moments that has most at `depth`: all but the last number of the
// diagonal follow from the moments by Chebyshev's algorithm, the last one from the depth (Golub,
// "Some Modified Matrix Eigenvalue Problems", SIAM Review 15(2), 1973: Gauss-Radau).
Jacobi jacobi(float b[MOMENTS + 1], float depth) {
    const float kSmallest = 1e-9; // below, rounding alone is left
    const float kFarAway = 1e4;   // where nothing lies, as far as this
    float before[MOMENTS + 1];
    float row[MOMENTS + 1] = b;
    for (int i = 0; i <= MOMENTS; ++i)
        before[i] = 0.0;
    Jacobi j;
    float beta = 0.0;
    float norm = 1.0; // of the polynomial of degree k - 1
    float lower = 0.0; // the polynomials of degree k - 2 and k - 1 at `depth`
    float polynomial = 1.0;
    j.d[0] = b[1];
    for (int k = 1; k <= kPoints; ++k) {
        float next[MOMENTS + 1];
        for (int i = 0; i <= MOMENTS; ++i)
            next[i] = 0.0;
        for (int i = k; i <= MOMENTS - k; ++i)
            next[i] = row[i + 1] - j.d[k - 1] * row[i] - beta * before[i];
        float higher = (depth - j.d[k - 1]) * polynomial - beta * lower;
        lower = polynomial;
        polynomial = higher;
        next[k] = max(next[k], kSmallest);
        beta = next[k] / norm;
        j.e[k - 1] = sqrt(beta);
        if (k < kPoints) j.d[k] = next[k + 1] / next[k] - row[k] / norm;
        norm = next[k];
        before = row;
        row = next;
    }
    float top = beta * lower;
    bool near = abs(top) < kFarAway * abs(polynomial);
    bool below = (top < 0.0) != (polynomial < 0.0);
    j.d[kPoints] = depth - (near ? top / polynomial : below ? -kFarAway : kFarAway);
    return j;
}

// Turns the matrix diagonal: QR steps with Wilkinson's shift. They converge with the cube of the
// error; after four a number beside the diagonal is rounding.
void diagonalize(inout Jacobi j) {
    const int kSteps = 4;
    for (int i = 0; i <= kPoints; ++i)
        j.v[i] = i == 0 ? 1.0 : 0.0;
    for (int last = kPoints; last >= 1; --last)
        for (int step = 0; step < kSteps; ++step) {
            float beside = j.e[last - 1];
            float half_gap = 0.5 * (j.d[last - 1] - j.d[last]);
            float root = sqrt(half_gap * half_gap + beside * beside);
            float by = half_gap + (half_gap < 0.0 ? -root : root);
            float x = j.d[0] - j.d[last];
            if (by != 0.0) x += beside * beside / by;
            float y = j.e[0];
            for (int k = 0; k < last; ++k) {
                float r = sqrt(x * x + y * y);
                float c = r > 0.0 ? x / r : 1.0;
                float s = r > 0.0 ? y / r : 0.0;
                if (k > 0) j.e[k - 1] = r;
                float a = j.d[k];
                float b = j.e[k];
                float z = j.d[k + 1];
                j.d[k] = c * c * a + 2.0 * c * s * b + s * s * z;
                j.d[k + 1] = s * s * a - 2.0 * c * s * b + c * c * z;
                j.e[k] = (c * c - s * s) * b + c * s * (z - a);
                float v = j.v[k];
                j.v[k] = c * v + s * j.v[k + 1];
                j.v[k + 1] = c * j.v[k + 1] - s * v;
                if (k + 1 < last) {
                    x = j.e[k];
                    y = s * j.e[k + 1];
                    j.e[k + 1] *= c;
                }
            }
        }
}

// As with four moments.
float transmittance(Moments m, float depth, float share) {
    if (m.optical < 1e-12) return 1.0;
    float b[MOMENTS + 1];
    b[0] = 1.0;
    for (int i = 0; i < MOMENTS; ++i) {
        float power = i < 4 ? m.powers[i & 3] : m.high[i & 3];
        b[i + 1] = mix(power / m.optical, kBiasMoments[i], kMomentBias);
    }
    Jacobi j = jacobi(b, depth);
    diagonalize(j);
    float nearest = abs(j.d[0] - depth);
    for (int i = 1; i <= kPoints; ++i)
        nearest = min(nearest, abs(j.d[i] - depth));
    float before = 0.0;
    float all = 0.0;
    for (int i = 0; i <= kPoints; ++i) {
        float part = j.v[i] * j.v[i];
        all += part;
        if (abs(j.d[i] - depth) == nearest)
            before += share * part;
        else if (j.d[i] < depth)
            before += part;
    }
    return exp(-m.optical * before / all);
}

#endif

#endif
