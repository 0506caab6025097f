// What a summed-area table sums. Before the include, define ONE_CHANNEL (the first channel),
// INTEGERS (all channels as whole numbers) or neither (all channels).

#if !INTEGERS
readonly buffer Mean { vec4 value; } mean; // taken from every texel
#endif

#if ONE_CHANNEL
#define VALUE float
VALUE to_value(vec4 texel, float levels) {
    return texel.r - mean.value.r;
}
vec4 to_texel(VALUE value) {
    return vec4(value, 0.0, 0.0, 1.0);
}
#elif INTEGERS
#define VALUE uvec4
VALUE to_value(vec4 texel, float levels) {
    return uvec4(clamp(texel, 0.0, 1.0) * levels + 0.5);
}
uvec4 to_texel(VALUE value) {
    return value;
}
#else
#define VALUE vec4
VALUE to_value(vec4 texel, float levels) {
    return texel - mean.value;
}
vec4 to_texel(VALUE value) {
    return value;
}
#endif
