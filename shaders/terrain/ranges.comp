#version 460
// Begins the least and greatest values of parts of a picture: those of its texels.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D source; // R
writeonly buffer Ranges { vec2 values[]; } ranges;

uniform Params {
    float instead; // of what is not finite
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = textureSize(source, 0);
    if (any(greaterThanEqual(texel, size))) return;
    float value = texelFetch(source, texel, 0).x;
    if (isnan(value) || isinf(value)) value = params.instead;
    ranges.values[texel.y * size.x + texel.x] = vec2(value);
}
