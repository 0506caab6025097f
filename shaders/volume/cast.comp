#version 460
//! variants PART=0,1
// A volume under a transfer function, or a surface of it, by rays from front to back. PART: the samples
// of such rays that lie in a part of the volume, in front of nothing.

layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const uint kSurface = 0u; // 1: the first place whose number is `surface`
layout(constant_id = 1) const uint kShaded = 0u;
layout(constant_id = 2) const uint kPairs = 0u; // 1: looks steps up by the numbers at both ends
layout(constant_id = 3) const uint kSkips = 0u; // 1: bricks that show nothing are stepped over
layout(constant_id = 4) const uint has_behind = 0u;
layout(constant_id = 5) const uint has_behind_depth = 0u;
layout(constant_id = 6) const uint has_open = 0u;
layout(constant_id = 7) const uint kOpenColors = 0u; // 1: it is light of a colour

#include "hash.glsl"
#include "volume_bricks.glsl"
#include "view_rays.glsl"
#include "volume_sampling.glsl"

struct CastLight {
    vec3 towards;    // of unit length, in the world
    vec3 color;
    float ambient;
    float diffuse;
    float specular;
    float shininess;
    float least_change; // of the number from texel to texel below which there is no surface
};

uniform Params {
    ivec3 dims;
    ViewRays rays;
    float first;   // number of the table's first entry
    float scale;   // entries for a number's 1
    uint entries;  // of the table, or of a side of it
    float lengths; // of a stride: those for which opacities are given
    float opaque;  // what still shines through where a ray may end
    float jitter;  // share of a step by which rays begin earlier
    uint frame;    // another jitter for each
    float surface;
    vec3 surface_color;
    uint refinements; // of the place where the surface is
    CastLight light;
    vec4 background;
    vec3 open_share; // texels of `open` for one of the volume
#if PART
    ivec3 part_corner; // the first texel of the source, halo included
    vec3 part_low;   // samples from here ...
    vec3 part_high;  // ... to before here are of the part; texels, whose first corner is 0
#endif
} params;

#if PART
writeonly buffer Eye { vec4 values[]; } eye; // in texels; w 1: no place, but the direction of all rays
#endif

readonly buffer Table { vec4 values[]; } table;
readonly buffer Empty { uint values[]; } empty;
uniform sampler2D behind;
uniform sampler2D behind_depth;
uniform sampler3D open; // how much of the surroundings' light reaches a texel
writeonly uniform image2D result;
writeonly uniform image2D depth;

struct Walk {
    vec3 entry;     // texels; the centre of the first one is 0
    vec3 direction; // texels for a world unit
    vec3 towards;   // of the ray, unit length in the world
    float way;      // that it has in what is shown, world units
    float early;    // share of the first step that is there, above 0
};

struct Gathered {
    vec3 light;
    float through;
    float half_at; // where less than a half shines through, along the way; below 0: nowhere
};

vec3 place_at(Walk walk, float t) {
    return walk.entry + t * walk.direction;
}

// Where step i begins: it ends where the next one begins.
float begin_of(Walk walk, uint i) {
    return clamp((float(i) - 1.0 + walk.early) * params.rays.stride, 0.0, walk.way);
}

uint step_count(Walk walk) {
    return uint(clamp(ceil(walk.way / params.rays.stride - walk.early), 0.0, 1e7)) + 1u;
}

#if PART
ivec3 brick_corner() {
    return params.part_corner;
}
ivec3 brick_texels() {
    return textureSize(source, 0);
}
#else
ivec3 brick_corner() {
    return ivec3(0);
}
ivec3 brick_texels() {
    return params.dims;
}
#endif

bool shows_nothing(vec3 place) {
    uvec3 brick = brick_at(params.dims, brick_corner(), place);
    return empty.values[brick_index(bricks_of(brick_texels()), brick)] != 0u;
}

// How many strides from `place` on are surely in its brick, or outside of the part.
float strides_in_brick(Walk walk, vec3 place) {
    uvec3 brick = brick_at(params.dims, brick_corner(), place);
    float way = way_through(params.dims, brick_corner(), brick, place, walk.direction);
    return clamp(way / params.rays.stride, 0.0, 1e7);
}

// In 0 to entries - 1.
float entry_of(float number) {
    return clamp((number - params.first) * params.scale, 0.0, float(params.entries - 1u));
}

vec4 looked_up(float number) {
    float at = entry_of(number);
    uint low = uint(at);
    uint high = min(low + 1u, params.entries - 1u);
    return mix(table.values[low], table.values[high], at - float(low));
}

// Colour times opacity, and opacity, of a whole step.
vec4 looked_up_pair(float front, float back) {
    vec2 at = vec2(entry_of(front), entry_of(back));
    uvec2 low = uvec2(at);
    uvec2 high = min(low + 1u, uvec2(params.entries - 1u));
    vec2 share = at - vec2(low);
    vec4 upper = mix(table.values[low.y * params.entries + low.x],
                     table.values[low.y * params.entries + high.x], share.x);
    vec4 lower = mix(table.values[high.y * params.entries + low.x],
                     table.values[high.y * params.entries + high.x], share.x);
    return mix(upper, lower, share.y);
}

// Between the middles of eight texels, of which there may be fewer than of the volume.
vec3 open_at(vec3 place) {
    if (has_open == 0u) return vec3(1.0);
    ivec3 last = textureSize(open, 0) - 1;
    place = (place + 0.5) * params.open_share - 0.5;
    if (kFilter == 2u) {
        vec3 found = textureLod(open, (place + 0.5) / vec3(last + 1), 0.0).rgb;
        return kOpenColors != 0u ? found : found.rrr;
    }
    vec3 inside = clamp(place, vec3(0.0), vec3(last));
    ivec3 low = ivec3(inside);
    vec3 share = inside - vec3(low);
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 8; ++i) {
        ivec3 corner = ivec3(i & 1, i >> 1 & 1, i >> 2);
        vec3 part = mix(1.0 - share, share, vec3(corner));
        vec3 found = texelFetch(open, min(low + corner, last), 0).rgb;
        sum += part.x * part.y * part.z * (kOpenColors != 0u ? found : found.rrr);
    }
    return sum;
}

// Blinn and Phong, for both sides of a surface across the gradient; evenly where there is none.
vec3 lit(vec3 color, Walk walk, vec3 place) {
    vec3 shares = open_at(place);
    if (kShaded == 0u) return shares * color;
    CastLight light = params.light;
    vec3 ambient = shares * light.ambient;
    vec3 even = light.color * (ambient + light.diffuse) * color;
    vec3 change = gradient_at(params.dims, place);
    vec3 normal = transpose(mat3(params.rays.texels)) * change;
    float length_squared = dot(normal, normal);
    if (!(length_squared > 0.0)) return even;
    normal *= inversesqrt(length_squared);
    vec3 half_way = light.towards - walk.towards;
    half_way *= inversesqrt(max(dot(half_way, half_way), 1e-12));
    float falls = abs(dot(normal, light.towards));
    float shines = light.specular * pow(abs(dot(normal, half_way)), light.shininess);
    vec3 surface = light.color * (color * (ambient + light.diffuse * falls) + shines);
    if (!(light.least_change > 0.0)) return surface;
    float share = length(change) / light.least_change;
    return mix(even, surface, clamp(2.0 * share - 1.0, 0.0, 1.0));
}

// Adds a part of the way, `lengths` of those for which `opacity` is given.
void add(inout Gathered seen, vec3 color, float left, float at) {
    seen.light += seen.through * (1.0 - left) * color;
    seen.through *= left;
    if (seen.half_at < 0.0 && seen.through <= 0.5) seen.half_at = at;
}

#if PART
bool is_in_part(vec3 place) {
    vec3 corner = place + 0.5;
    return all(greaterThanEqual(corner, params.part_low)) && all(lessThan(corner, params.part_high));
}

// The steps that may have samples of the part: from x to before y.
uvec2 steps_in_part(Walk walk) {
    vec2 span = vec2(0.0, walk.way);
    for (int i = 0; i < 3; ++i) { // a texel wider, for rounding
        span = below(span, walk.entry[i], walk.direction[i], params.part_high[i] + 0.5);
        span = below(span, -walk.entry[i], -walk.direction[i], 1.5 - params.part_low[i]);
    }
    if (!(span.x < span.y)) return uvec2(0u);
    vec2 steps = span / params.rays.stride + 1.0 - walk.early;
    return uvec2(clamp(vec2(floor(steps.x) - 1.0, ceil(steps.y) + 1.0), 0.0, 1e7));
}
#endif

Gathered composite(Walk walk) {
    Gathered seen = Gathered(vec3(0.0), 1.0, -1.0);
    uint first = 0u;
    uint count = step_count(walk);
#if PART
    uvec2 steps = steps_in_part(walk);
    first = steps.x;
    count = min(count, steps.y);
#endif
    for (uint i = first; i < count && seen.through > params.opaque; ++i) {
        vec2 ends = vec2(begin_of(walk, i), begin_of(walk, i + 1u));
        if (!(ends.x < ends.y)) continue;
        float at = 0.5 * (ends.x + ends.y);
        vec3 place = place_at(walk, at);
#if PART
        if (!is_in_part(place)) continue;
#endif
        if (kSkips != 0u && shows_nothing(place)) {
            float strides = strides_in_brick(walk, place);
            i += uint(max(ceil(strides + at / params.rays.stride + 0.5 - walk.early) - 1.0 -
                              float(i), 0.0));
            continue;
        }
        float number = number_at(params.dims, place);
        if (!is_number(number)) continue;
        vec4 point = looked_up(number);
        if (!(point.a > 0.0)) continue;
        float lengths = params.lengths * (ends.y - ends.x) / params.rays.stride;
        add(seen, lit(point.rgb, walk, place), exp2(lengths * log2(max(1.0 - point.a, 0.0))), at);
    }
    return seen;
}

Gathered composite_pairs(Walk walk) {
    Gathered seen = Gathered(vec3(0.0), 1.0, -1.0);
    uint count = step_count(walk);
    uint known = 0u; // the step at whose beginning `front` is
    float front = number_at(params.dims, walk.entry);
    for (uint i = 0u; i < count && seen.through > params.opaque; ++i) {
        vec2 ends = vec2(begin_of(walk, i), begin_of(walk, i + 1u));
        if (!(ends.x < ends.y)) continue;
        vec3 place = place_at(walk, ends.x);
        vec3 next = place_at(walk, ends.y);
        if (kSkips != 0u && shows_nothing(place) && shows_nothing(next)) {
            float strides = strides_in_brick(walk, place);
            // The step that leaves the brick is looked at by itself.
            i += uint(max(ceil(strides + ends.x / params.rays.stride + 1.0 - walk.early) - 2.0 -
                              float(i), 0.0));
            continue;
        }
        if (known != i) front = number_at(params.dims, place);
        float back = number_at(params.dims, next);
        if (is_number(front) && is_number(back)) {
            vec4 pair = looked_up_pair(front, back);
            if (pair.a > 0.0) {
                float at = 0.5 * (ends.x + ends.y);
                float share = (ends.y - ends.x) / params.rays.stride;
                float left = exp2(share * log2(max(1.0 - pair.a, 0.0)));
                add(seen, lit(pair.rgb / pair.a, walk, place_at(walk, at)), left, at);
            }
        }
        front = back;
        known = i + 1u;
    }
    return seen;
}

bool is_below_surface(Walk walk, float t) {
    return !(number_at(params.dims, place_at(walk, t)) >= params.surface);
}

// The first place on the way that is not below the surface, between samples by bisection.
Gathered first_surface(Walk walk) {
    Gathered seen = Gathered(vec3(0.0), 1.0, -1.0);
    uint count = step_count(walk);
    float before = 0.0; // below the surface, or where the way begins
    for (uint i = 0u; i <= count; ++i) {
        float at = i == 0u ? 0.0 : begin_of(walk, i);
        vec3 place = place_at(walk, at);
        if (kSkips != 0u && shows_nothing(place)) {
            float strides = strides_in_brick(walk, place);
            float last = ceil(strides + at / params.rays.stride + 1.0 - walk.early) - 1.0;
            i = uint(clamp(last, float(i), float(count)));
            before = max(begin_of(walk, i), at);
            continue;
        }
        if (is_below_surface(walk, at)) {
            before = at;
            continue;
        }
        for (uint k = 0u; k < params.refinements && before < at; ++k) {
            float middle = 0.5 * (before + at);
            if (is_below_surface(walk, middle))
                before = middle;
            else
                at = middle;
        }
        return Gathered(lit(params.surface_color, walk, place_at(walk, at)), 0.0, at);
    }
    return seen;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    ViewRay ray = ray_through(params.rays, (vec2(texel) + 0.5) / vec2(size) * 2.0 - 1.0);
    vec2 span = span_of(params.rays, ray);
#if PART
    part_corner = params.part_corner;
    if (texel == ivec2(0))
        eye.values[0] = params.rays.parallel != 0u
                            ? vec4(mat3(params.rays.texels) * params.rays.forward, 1.0)
                            : vec4((params.rays.texels * vec4(params.rays.eye, 1.0)).xyz, 0.0);
#endif
    vec4 around = params.background;
    float found_at = 1.0;
    if (has_behind != 0u && has_behind_depth != 0u) {
        around = texelFetch(behind, texel, 0);
        found_at = texelFetch(behind_depth, texel, 0).r;
        if (found_at < 1.0) span.y = min(span.y, along_ray(params.rays, ray, found_at));
    }
    Gathered seen = Gathered(vec3(0.0), 1.0, -1.0);
    if (span.x < span.y) {
        vec3 begin = ray.origin + span.x * ray.direction;
        float early = 1.0;
        if (params.jitter > 0.0)
            early -= params.jitter * random_numbers(uint(texel.x), uint(texel.y), params.frame).x;
        Walk walk = Walk((params.rays.texels * vec4(begin, 1.0)).xyz - 0.5,
                         mat3(params.rays.texels) * ray.direction, ray.direction, span.y - span.x,
                         early);
        if (kSurface != 0u)
            seen = first_surface(walk);
        else if (kPairs != 0u)
            seen = composite_pairs(walk);
        else
            seen = composite(walk);
    }
    if (seen.half_at >= 0.0)
        found_at = min(found_at, clip_depth(params.rays, ray, span.x + seen.half_at));
    imageStore(result, texel, vec4(seen.light, 1.0 - seen.through) +
                                  seen.through * vec4(around.rgb, around.a));
    imageStore(depth, texel, vec4(found_at));
}
