#version 460
// A panorama seen through the faces of a cube: each texel is the mean over its solid angle.

layout(local_size_x = 8, local_size_y = 8) in;

#include "scene/environment.glsl"
#include "environment_source.glsl"

uniform sampler2D panorama;
uniform writeonly image2DArray cube;
uniform writeonly image2DArray mirror; // the same, as the first level of the prefiltered cube

// Texels read of one row at most; wider footprints are sampled sparsely. They occur near the
// poles only, where neighbours in a row lie close together and are alike.
const int kRowTaps = 32;

// One row about column `x`, weighted by a tent of half width `reach` columns, at least 1.
vec3 row_radiance(int row, float x, float reach, ivec2 size) {
    int first = int(ceil(x - reach));
    int last = int(floor(x + reach));
    int stride = max(1, (last - first) / kRowTaps);
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int i = first; i <= last; i += stride) {
        float weight = 1.0 - abs(float(i) - x) / reach;
        int column = (i + size.x) % size.x; // i >= -size.x, for reach is at most half the width
        sum += weight * clean_radiance(texelFetch(panorama, ivec2(column, row), 0).rgb);
        weights += weight;
    }
    return sum / weights;
}

// Radiance from a direction, with nothing finer than `spacing` radians: bilinear but for rows near
// the poles, whose columns lie closer together than that.
vec3 panorama_radiance(vec3 direction, float spacing, ivec2 size) {
    vec2 uv = panorama_uv(direction);
    vec2 position = uv * vec2(size) - 0.5;
    float column_angle = 2.0 * kEnvironmentPi * sin(uv.y * kEnvironmentPi) / float(size.x);
    float reach = clamp(spacing / max(column_angle, 1e-9), 1.0, max(0.5 * float(size.x), 1.0));
    int upper = int(floor(position.y));
    int last_row = size.y - 1;
    vec3 above = row_radiance(clamp(upper, 0, last_row), position.x, reach, size);
    vec3 below = row_radiance(clamp(upper + 1, 0, last_row), position.x, reach, size);
    return mix(above, below, position.y - float(upper));
}

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    int side = imageSize(cube).x;
    if (any(greaterThanEqual(texel.xy, ivec2(side)))) return;

    // As many points along each axis of the texel as keep them within one texel of the panorama of
    // each other: then a bilinear lookup misses none.
    ivec2 size = textureSize(panorama, 0);
    vec2 centre = cube_texel_centre(texel.xy, side);
    float width = 2.0 / float(side);
    float angle = sqrt(cube_solid_angle(centre, width));
    vec2 panorama_step = kEnvironmentPi * vec2(2.0, 1.0) / vec2(size);
    int points = max(1, int(ceil(angle / min(panorama_step.x, panorama_step.y))));

    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (int j = 0; j < points; ++j)
        for (int i = 0; i < points; ++i) {
            vec2 offset = (vec2(i, j) + 0.5) / float(points) - 0.5;
            vec2 st = centre + width * offset;
            float weight = cube_solid_angle(st, 1.0);
            vec3 direction = cube_direction(texel.z, st);
            sum += weight * panorama_radiance(direction, angle / float(points), size);
            weights += weight;
        }
    vec4 radiance = vec4(min(sum / weights, vec3(kBrightestHalf)), 1.0);
    imageStore(cube, texel, radiance);
    imageStore(mirror, texel, radiance);
}
