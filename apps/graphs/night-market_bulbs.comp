#version 460
// Bulbs where the lights are: each pixel looks at those that lights/cluster lists for its tile.
layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D lit;   //! doc what they are added to
uniform sampler2D depth; //! doc of the same picture
readonly buffer Spheres { vec4 values[]; } spheres;                          //! doc of the lights
struct Shade { vec4 color; vec4 cone; };
readonly buffer Shades { Shade values[]; } shades;                           //! doc of the lights
readonly buffer Masks { uint values[]; } masks;                              //! doc of the clusters
layout(rgba16f) writeonly uniform image2D result; //! doc the picture with bulbs

uniform Params {
    vec3 eye;
    vec3 aim;           //! doc what the camera looks at
    float vertical_fov; //! range 1..170, default 50, doc degrees
    float near;         //! default 0.1, doc planes of the camera
    float far;          //! default 100
    uint words;         //! default 32, doc of a tile's mask: lights / 32
    uint side;          //! default 32, doc of a tile, pixels
    float radius;       //! default 0.03, doc of a bulb
    float brightness;   //! default 3, doc of a bulb's middle
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    vec3 forward = normalize(params.aim - params.eye);
    vec3 right = normalize(cross(forward, vec3(0.0, 1.0, 0.0)));
    vec3 up = cross(right, forward);
    vec2 at = ((vec2(texel) + 0.5) / vec2(size) * 2.0 - 1.0) * tan(radians(0.5 * params.vertical_fov));
    vec3 ray = forward + right * (at.x * float(size.x) / float(size.y)) - up * at.y;
    float value = texelFetch(depth, texel, 0).x;
    float away = params.near * params.far / (params.far - value * (params.far - params.near));

    vec3 sum = texelFetch(lit, texel, 0).rgb;
    uint tiles_x = (uint(size.x) + params.side - 1u) / params.side;
    uint tile = uint(texel.y) / params.side * tiles_x + uint(texel.x) / params.side;
    for (uint w = 0u; w < params.words; ++w)
        for (uint left = masks.values[tile * params.words + w]; left != 0u; left &= left - 1u) {
            uint i = 32u * w + uint(findLSB(left));
            vec3 middle = spheres.values[i].xyz - params.eye;
            float before = dot(middle, forward);
            if (before < params.near || before > away) continue;
            vec3 beside = ray * before - middle;
            // No smaller than a pixel, but then dimmer.
            float pixel = 2.0 * before * tan(radians(0.5 * params.vertical_fov)) / float(size.y);
            float wide = max(params.radius, 0.7 * pixel);
            float share = exp(-dot(beside, beside) / (wide * wide)) * pow(params.radius / wide, 2.0);
            vec3 color = shades.values[i].color.rgb;
            sum += params.brightness * share * color / max(max(color.r, color.g), max(color.b, 1e-6));
        }
    imageStore(result, texel, vec4(sum, 1.0));
}
