// Rays through the pixels of a picture.

#include "hash.glsl"
#include "paths.glsl"

writeonly buffer Rays { uvec4 quads[]; } rays;

uniform Params {
    uvec2 size;
    uint tiles_per_row;
    uint slots;
    uint sample_offset; // number of this sample in the execution
    uint jitter;        // 1: anywhere in the pixel, not in its middle
    uint has_frame;     // 0: there are no samples before this execution
    // The ray through (x, y) of clip space: begins at origin + x * origin_x + y * origin_y.
    vec3 origin;
    vec3 origin_x;
    vec3 origin_y;
    vec3 direction;
    vec3 direction_x;
    vec3 direction_y;
    vec3 forward; // unit
    vec3 lens_x;  // unit, in the plane of the lens
    vec3 lens_y;
    float lens_radius; // 0: a pinhole
    float focus;       // depth that is sharp
    float pixel_width;  // of parallel rays, in the world
    float pixel_spread; // of others: width of a pixel at depth 1
} params;

// Evenly over the unit disk (Shirley and Chiu, "A Low Distortion Map Between Disk and Square",
// 1997).
vec2 on_disk(vec2 u) {
    vec2 p = 2.0 * u - 1.0;
    if (p.x == 0.0 && p.y == 0.0) return vec2(0.0);
    const float kQuarter = 0.78539816339745;
    bool wide = abs(p.x) > abs(p.y);
    float radius = wide ? p.x : p.y;
    float angle = kQuarter * (wide ? p.y / p.x : 2.0 - p.x / p.y);
    return radius * vec2(cos(angle), sin(angle));
}

struct Started {
    Ray ray; // dead where there is no pixel
    Cone cone;
};

// The ray of a slot. Where samples lie anywhere in a pixel, the cone of the n-th is as wide as 1/n of
// the pixel by area: the first ones do not flicker, and what is blurred gets less and less.
Started start_ray(uint slot) {
    uvec2 pixel = uvec2(pixel_of(slot, params.tiles_per_row));
    uint sample_index = params.sample_offset;
    if (params.has_frame != 0u) sample_index += frame.samples;
    vec2 within = vec2(0.5);
    if (params.jitter != 0u) within = random_numbers(slot, sample_index, kUsePixel).xy;
    vec2 clip = (vec2(pixel) + within) * 2.0 / vec2(params.size) - 1.0;

    Ray ray;
    ray.origin = params.origin + clip.x * params.origin_x + clip.y * params.origin_y;
    ray.direction = normalize(params.direction + clip.x * params.direction_x +
                              clip.y * params.direction_y);
    ray.t_max = all(lessThan(pixel, params.size)) ? kFar : kDead;
    ray.leaves = kNoTriangle;
    if (params.lens_radius > 0.0) {
        vec3 sharp =
            ray.origin + ray.direction * (params.focus / dot(ray.direction, params.forward));
        vec2 on_lens =
            params.lens_radius * on_disk(random_numbers(slot, sample_index, kUseLens).xy);
        ray.origin += on_lens.x * params.lens_x + on_lens.y * params.lens_y;
        ray.direction = normalize(sharp - ray.origin);
    }
    float share = params.jitter != 0u ? inversesqrt(float(sample_index) + 1.0) : 1.0;
    float spread = params.pixel_spread * dot(ray.direction, params.forward);
    return Started(ray, Cone(share * params.pixel_width, share * spread));
}

void store_ray(uint slot, Ray ray, uint t_max) {
    rays.quads[2u * slot] = uvec4(floatBitsToUint(ray.origin), t_max);
    rays.quads[2u * slot + 1u] = uvec4(floatBitsToUint(ray.direction), ray.leaves);
}

// Writes the ray of a slot for bvh/cast.
void store_ray(uint slot, Started started) {
    store_ray(slot, started.ray, floatBitsToUint(started.ray.t_max));
}

// Writes the ray of a slot for a path.
void store_path_ray(uint slot, Started started) {
    store_ray(slot, started.ray, t_max_word(started.ray, started.cone));
}
