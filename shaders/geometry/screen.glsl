#ifndef GEOMETRY_SCREEN
#define GEOMETRY_SCREEN
// Vertices on the screen: whole numbers of 1/256 pixel, so that what is covered is exact.

// Quotients rounded as IEEE 754 has it, so that pixels and depths are the same bits everywhere. Devices
// may be off by 2.5 units in the last place (GPUs are); two fused steps from there make it right
// (P. Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", 1990).
// Where multiply-add is not fused (SwiftShader) the quotient is right at once. Numbers whose reciprocal
// or remainder overflows or is denormal are left as they are.
// Whether fma rounds once: `one` is 1, but no compiler may know.
bool fma_is_fused(float one) {
    precise float x = one + 0.000244140625; // 2^-12: the square has 25 bits
    precise float square = x * x;
    precise float rest = fma(x, x, -square);
    return rest != 0.0;
}

float divide(float a, float b, bool fused) {
    precise float quotient = a / b;
    precise float start = 1.0 / b;
    precise float short_of_one = fma(-b, start, 1.0);
    precise float reciprocal = fma(short_of_one, start, start);
    precise float rest = fma(-quotient, b, a);
    precise float better = fma(rest, reciprocal, quotient);
    bool usable = abs(better) < 1e30 && abs(better) > 1e-30; // no NaN either
    return fused && usable ? better : quotient;
}

// By a number that all compilers know to be something: the number of pixels in a row is one or more.
bool divides_by_fma(uvec2 size) {
    return fma_is_fused(float(min(size.x, 1u)));
}

const int kFraction = 256; // of a pixel
// Coordinates reach 2^23 fractions from the picture's corner either way, 32768 pixels. Differences
// are then below 2^24 + 1, and a product of two fits 64 bits with room to spare.
const float kFarthest = 8388608.0;
const float kLeastW = 1e-30; // before it, quotients could overflow

// A vertex: x and y on the screen, bits of depth, 0. One that cannot be placed, because it lies
// before the near plane or too far outside, has this x, and in y why.
const int kUnplaced = -2147483648;

// Sides of the view on whose outside a point is.
const int kOutLeft = 1;
const int kOutRight = 2;
const int kOutTop = 4;
const int kOutBottom = 8;
const int kOutNear = 16;
const int kOutFar = 32;
const int kOutNotFinite = 64;

int sides_outside(vec4 clip) {
    return (clip.x < -clip.w ? kOutLeft : 0) | (clip.x > clip.w ? kOutRight : 0) |
           (clip.y < -clip.w ? kOutTop : 0) | (clip.y > clip.w ? kOutBottom : 0) |
           (clip.z < 0.0 ? kOutNear : 0) | (clip.z > clip.w ? kOutFar : 0);
}

bool is_finite(vec4 p) {
    return all(lessThan(floatBitsToUint(p) & 0x7fffffffu, uvec4(0x7f800000u)));
}

// Homogeneous coordinates. Each operation is rounded by itself, so that a vertex comes out the same
// in every kernel.
vec4 to_clip(mat4 clip_from_mesh, vec3 p) {
    precise vec4 x = clip_from_mesh[0] * p.x;
    precise vec4 y = clip_from_mesh[1] * p.y;
    precise vec4 z = clip_from_mesh[2] * p.z;
    precise vec4 xy = x + y;
    precise vec4 xyz = xy + z;
    precise vec4 all = xyz + clip_from_mesh[3];
    return all;
}

// Screen coordinates before they are whole numbers. `size` is that of the picture in pixels.
vec2 to_screen(vec4 clip, uvec2 size) {
    vec2 middle = vec2(size) * (0.5 * float(kFraction)); // exact
    bool fused = divides_by_fma(size);
    precise vec2 ratio = vec2(divide(clip.x, clip.w, fused), divide(clip.y, clip.w, fused));
    precise vec2 scaled = ratio * middle;
    precise vec2 moved = scaled + middle;
    precise vec2 raised = moved + 0.5;
    precise vec2 rounded = floor(raised);
    return rounded;
}

ivec4 on_screen(vec4 clip, vec2 place, uvec2 size) {
    vec2 kept = clamp(place, vec2(-kFarthest), vec2(kFarthest));
    precise float depth = divide(clip.z, clip.w, divides_by_fma(size));
    return ivec4(ivec2(kept), floatBitsToInt(abs(clamp(depth, 0.0, 1.0))), 0);
}

ivec4 place_vertex(vec4 clip, uvec2 size) {
    if (!is_finite(clip)) return ivec4(kUnplaced, kOutNotFinite, 0, 0);
    int outside = sides_outside(clip);
    if ((outside & (kOutNear | kOutFar)) == 0 && clip.w >= kLeastW) {
        vec2 place = to_screen(clip, size);
        if (all(lessThanEqual(abs(place), vec2(kFarthest)))) return on_screen(clip, place, size);
    }
    return ivec4(kUnplaced, outside, 0, 0);
}

// Of a placed vertex, in fractions.
int sides_outside_screen(ivec2 p, uvec2 size) {
    ivec2 far = ivec2(size) * kFraction;
    return (p.x < 0 ? kOutLeft : 0) | (p.x > far.x ? kOutRight : 0) | (p.y < 0 ? kOutTop : 0) |
           (p.y > far.y ? kOutBottom : 0);
}

#endif
