#version 460
// Darkens a picture towards its corners.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D source;
uniform writeonly image2D result;

uniform Params {
    float strength; // share of the light that the corners lose
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;

    vec2 from_centre = (vec2(texel) + 0.5) / vec2(size) * 2.0 - 1.0; // each in -1 to 1
    float loss = params.strength * 0.5 * dot(from_centre, from_centre);
    vec4 color = texelFetch(source, texel, 0);
    imageStore(result, texel, vec4(color.rgb * (1.0 - loss), color.a));
}
