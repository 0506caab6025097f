#version 460
// A blurred picture at the size of its source, by cubic B-splines over a smaller one.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D small;
uniform sampler2D source; // its alpha
uniform writeonly image2D result;

uniform Params {
    ivec2 factor; // texels of the source to one of the smaller picture
    ivec2 margin; // texels of the smaller one before the first that lies on the source
    uint copy_alpha;
} params;

vec4 spline_weights(float t) {
    float s = 1.0 - t;
    return vec4(s * s * s, 4.0 - 3.0 * t * t * (2.0 - t), 4.0 - 3.0 * s * s * (2.0 - s), t * t * t) /
           6.0;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    vec2 place = (vec2(texel) + 0.5) / vec2(params.factor) - 0.5;
    ivec2 first = ivec2(floor(place));
    vec4 across = spline_weights(place.x - float(first.x));
    vec4 down = spline_weights(place.y - float(first.y));
    if (params.factor.x == 1) across = vec4(0.0, 1.0, 0.0, 0.0);
    if (params.factor.y == 1) down = vec4(0.0, 1.0, 0.0, 0.0);
    ivec2 corner = first + params.margin - 1;
    ivec2 last = textureSize(small, 0) - 1;
    vec4 sum = vec4(0.0);
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
            sum += across[x] * down[y] *
                   texelFetch(small, clamp(corner + ivec2(x, y), ivec2(0), last), 0);
    if (params.copy_alpha != 0u) sum.a = texelFetch(source, texel, 0).a;
    imageStore(result, texel, sum);
}
