// Where a ray begins that leaves a surface: moved off it along its normal by a few steps of the
// floating-point numbers there, so that rounding does not put it behind (Waechter and Binder, "A
// Fast and Robust Method for Avoiding Self-Intersection", Ray Tracing Gems, chapter 6, 2019).
vec3 off_surface(vec3 position, vec3 normal) {
    const float kSteps = 256.0;        // along an axis that the normal points along
    const float kNearZero = 1.0 / 32.0; // where steps get too small, a fixed length
    const float kFixed = 1.0 / 65536.0;
    ivec3 steps = ivec3(kSteps * normal);
    bvec3 negative = lessThan(position, vec3(0.0));
    vec3 moved = intBitsToFloat(floatBitsToInt(position) + mix(steps, -steps, negative));
    return mix(moved, position + kFixed * normal, lessThan(abs(position), vec3(kNearZero)));
}
