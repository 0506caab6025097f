#version 460
// Adds to each texel what it has more than its four neighbours.
layout(local_size_x = 8, local_size_y = 8) in;

uniform sampler2D source;                          //! doc what is sharpened
layout(rgba16f) writeonly uniform image2D result;  //! doc of the same size

uniform Params {
    float strength; //! range 0..4, default 1, doc how much stronger edges become
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 last = imageSize(result) - 1;
    if (any(greaterThan(texel, last))) return;
    const ivec2 kSteps[4] = ivec2[](ivec2(-1, 0), ivec2(1, 0), ivec2(0, -1), ivec2(0, 1));
    vec4 around = vec4(0.0);
    for (int i = 0; i < 4; ++i)
        around += texelFetch(source, clamp(texel + kSteps[i], ivec2(0), last), 0);
    vec4 middle = texelFetch(source, texel, 0);
    imageStore(result, texel, middle + params.strength * (middle - 0.25 * around));
}
