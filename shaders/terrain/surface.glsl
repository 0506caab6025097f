// Where points of the unit square lie in the world, y up. C++: `set_surface`.
//
// Each kernel that includes this has the members `ground` and `shape` in its parameters, and hands
// them over as SurfaceTerms.
#ifndef TERRAIN_SURFACE
#define TERRAIN_SURFACE

layout(constant_id = 10) const uint surface_kind = 0u;
const uint kSurfaceHeights = 0u; // a square on the ground; y is a height of the map

layout(constant_id = 11) const uint has_heights = 0u; // 0: the ground is flat

uniform sampler2D heights; // R: heights, the first and the last texel at the square's edges

struct SurfaceTerms {
    vec4 ground; // side of the square, factor of heights, what is added to them, 0
    vec4 shape;  // of the kind
};

float height_texel(ivec2 texel) {
    float value = texelFetch(heights, texel, 0).x;
    return isnan(value) || isinf(value) ? 0.0 : value;
}

// Between the texels, by arithmetic that is the same on all devices.
float height_of_map(vec2 uv) {
    if (has_heights == 0u) return 0.0;
    ivec2 last = textureSize(heights, 0) - 1;
    precise vec2 place = uv * vec2(last);
    ivec2 low = clamp(ivec2(floor(place)), ivec2(0), last);
    ivec2 high = min(low + 1, last);
    precise vec2 part = clamp(place - vec2(low), 0.0, 1.0);
    float a = height_texel(low);
    float b = height_texel(ivec2(high.x, low.y));
    float c = height_texel(ivec2(low.x, high.y));
    float d = height_texel(high);
    precise float near = a + (b - a) * part.x;
    precise float far = c + (d - c) * part.x;
    precise float result = near + (far - near) * part.y;
    return result;
}

// Without heights: what distances are taken from.
vec3 surface_base(vec2 uv, SurfaceTerms terms) {
    precise vec2 ground = (uv - 0.5) * terms.ground.x;
    return vec3(ground.x, 0.0, ground.y);
}

vec3 surface_point(vec2 uv, SurfaceTerms terms) {
    vec3 point = surface_base(uv, terms);
    precise float height = height_of_map(uv) * terms.ground.y + terms.ground.z;
    return point + vec3(0.0, height, 0.0);
}

// How long the square's side is on the surface, at most.
float surface_span(SurfaceTerms terms) {
    return terms.ground.x;
}

#endif
