#version 460
// A cage, its subdivision with a colour for each level, or the smooth surface. Four samples a pixel.
layout(local_size_x = 8, local_size_y = 8) in;

uniform usampler2D triangles; //! doc number of the nearest triangle of each sample
uniform sampler2D flat_normals; //! doc its normal
uniform sampler2D weights;      //! doc of its corners
readonly buffer CornerNormals { float values[]; } corner_normals; //! doc of the subdivision's triangles
readonly buffer Tags { uvec2 values[]; } tags;                    //! doc the cage's triangle, and the level
layout(rgba16f) writeonly uniform image2D result;                 //! doc linear colours

uniform Params {
    uint shows;      //! doc 0: the cage, 1: levels, 2: the surface
    uint first_dark; //! doc the cage's first triangle of eyes and nose
} params;

const uint kNone = 0xffffffffu;

vec3 level_color(uint level) {
    const vec3 kColors[7] =
        vec3[7](vec3(0.02, 0.03, 0.3), vec3(0.02, 0.13, 0.6), vec3(0.01, 0.4, 0.4), vec3(0.1, 0.5, 0.04),
                vec3(0.8, 0.5, 0.01), vec3(0.85, 0.16, 0.01), vec3(0.6, 0.01, 0.06));
    return kColors[min(level, 6u)];
}

vec3 coat(uint triangle) {
    return triangle >= params.first_dark ? vec3(0.012, 0.01, 0.012) : vec3(0.72, 0.23, 0.045);
}

vec3 smooth_normal(uint triangle, vec3 weight) {
    vec3 sum = vec3(0.0);
    for (uint k = 0u; k < 3u; ++k) {
        uint at = 9u * triangle + 3u * k;
        sum += weight[k] *
               vec3(corner_normals.values[at], corner_normals.values[at + 1u], corner_normals.values[at + 2u]);
    }
    return normalize(sum);
}

vec3 lit(vec3 color, vec3 normal) {
    const vec3 kSun = normalize(vec3(0.55, 0.75, 0.75));
    const vec3 kEye = normalize(vec3(0.6, 0.25, 0.8));
    float sun = max(dot(normal, kSun), 0.0);
    float sky = 0.5 + 0.5 * normal.y;
    float shine = pow(max(dot(normal, normalize(kSun + kEye)), 0.0), 60.0);
    vec3 light = sun * vec3(1.9, 1.75, 1.5) + sky * vec3(0.30, 0.36, 0.46) + (1.0 - sky) * vec3(0.10, 0.08, 0.06);
    return color * light + vec3(0.22 * shine);
}

vec3 sample_at(ivec2 at, vec3 background) {
    uint triangle = texelFetch(triangles, at, 0).r;
    if (triangle == kNone) return background;
    ivec2 last = textureSize(triangles, 0) - 1;
    bool edge = params.shows != 2u && (texelFetch(triangles, min(at + ivec2(1, 0), last), 0).r != triangle ||
                                       texelFetch(triangles, min(at + ivec2(0, 1), last), 0).r != triangle);
    vec3 normal = texelFetch(flat_normals, at, 0).xyz;
    vec3 color = params.shows == 0u ? vec3(0.55, 0.56, 0.6) : vec3(0.0);
    if (params.shows != 0u) {
        normal = smooth_normal(triangle, texelFetch(weights, at, 0).xyz);
        uvec2 tag = tags.values[triangle];
        color = params.shows == 1u ? level_color(tag.y & 255u) : coat(tag.x);
    }
    color = lit(color, normal);
    return edge ? (params.shows == 0u ? 0.15 * color : 0.4 * color) : color;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    vec2 from_middle = (vec2(texel) + 0.5) / vec2(size) - vec2(0.5, 0.6);
    vec3 background = mix(vec3(0.16, 0.19, 0.22), vec3(0.035, 0.042, 0.055), min(1.6 * length(from_middle), 1.0));
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; ++i)
        sum += sample_at(2 * texel + ivec2(i & 1, i >> 1), background);
    imageStore(result, texel, vec4(0.25 * sum, 1.0));
}
