#version 460
//! variants FIRST=0,1
// Least and greatest heights of the squares between four texels of a map (FIRST), or of four squares
// of the level before.

layout(local_size_x = 16, local_size_y = 16) in;

uniform Params {
    uvec2 size; // of the result
} params;

uniform sampler2D source;
uniform writeonly image2D result;

vec2 bounds_at(ivec2 texel) {
    texel = min(texel, textureSize(source, 0) - 1);
    vec2 value = texelFetch(source, texel, 0).xy;
#if FIRST
    value = value.xx;
    return any(isnan(value)) || any(isinf(value)) ? vec2(0.0) : value;
#else
    return value;
#endif
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(at), params.size))) return;
    ivec2 from = FIRST == 1 ? at : 2 * at;
    vec2 a = bounds_at(from);
    vec2 b = bounds_at(from + ivec2(1, 0));
    vec2 c = bounds_at(from + ivec2(0, 1));
    vec2 d = bounds_at(from + ivec2(1, 1));
    float low = min(min(a.x, b.x), min(c.x, d.x));
    float high = max(max(a.y, b.y), max(c.y, d.y));
    imageStore(result, at, vec4(low, high, 0.0, 0.0));
}
