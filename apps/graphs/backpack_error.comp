#version 460
// How far two pictures are apart, as a heat map: from black by blue, green and yellow to white.
layout(local_size_x = 8, local_size_y = 8) in;

uniform sampler2D a; //! doc a picture
uniform sampler2D b; //! doc one of the same size
layout(rgba32f) writeonly uniform image2D map; //! doc linear colours

uniform Params {
    float full; //! range 0.001..10, default 0.25, doc difference that is white
} params;

const vec3 kRamp[6] = vec3[6](vec3(0.0), vec3(0.05, 0.08, 0.45), vec3(0.02, 0.45, 0.4),
                              vec3(0.35, 0.7, 0.1), vec3(1.0, 0.55, 0.05), vec3(1.0));

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(map)))) return;
    vec3 apart = abs(texelFetch(a, texel, 0).rgb - texelFetch(b, texel, 0).rgb);
    float place = clamp(max(apart.r, max(apart.g, apart.b)) / params.full, 0.0, 1.0) * 5.0;
    int stop = min(int(place), 4);
    imageStore(map, texel, vec4(mix(kRamp[stop], kRamp[stop + 1], place - float(stop)), 1.0));
}
