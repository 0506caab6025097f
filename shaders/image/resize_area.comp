#version 460
// Scales a picture: each texel of the result is the mean of what it covers of the source.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D source;
uniform writeonly image2D result;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;

    ivec2 source_size = textureSize(source, 0);
    vec2 scale = vec2(source_size) / vec2(size);
    vec2 low = vec2(texel) * scale;
    vec2 high = min(vec2(texel + 1) * scale, vec2(source_size));
    ivec2 first = clamp(ivec2(low), ivec2(0), source_size - 1);
    ivec2 end = clamp(ivec2(ceil(high)), first + 1, source_size);
    vec4 sum = vec4(0.0);
    float weights = 0.0;
    for (int y = first.y; y < end.y; ++y) {
        float height = min(high.y, float(y + 1)) - max(low.y, float(y));
        for (int x = first.x; x < end.x; ++x) {
            float width = min(high.x, float(x + 1)) - max(low.x, float(x));
            float weight = max(width * height, 0.0);
            sum += weight * texelFetch(source, ivec2(x, y), 0);
            weights += weight;
        }
    }
    imageStore(result, texel, sum / weights);
}
