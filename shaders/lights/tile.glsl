// What the kernels that cull by tiles share: the parts of space that a tile's lists show, and which
// lights reach a pixel.
#ifndef LIGHTS_TILE
#define LIGHTS_TILE

#include "cell.glsl"
#include "view.glsl"

// How surfaces are split. C++: `DepthSplit`.
const uint kHalf = 1u;
const uint kModifiedHalf = 2u;
const uint kMask = 3u;
const uint kPixels = 4u; // of the test: exact, then each pixel

const uint kNoDepthBits = 0x3f800000u; // of 1
const uint kChunk = 1024u;             // lights that are culled at a time: a word of the summary
const uint kChunkWords = 32u;

bool has_two_lists(uint split) {
    return split == kHalf || split == kModifiedHalf;
}

bool shows_something(float depth) {
    return depth >= 0.0 && depth < 1.0;
}

// The depth half way between the distances of two others, at least the first.
float middle_depth(float least, float greatest, vec4 depth_terms) {
    float middle = 0.5 * (distance_of(least, depth_terms) + distance_of(greatest, depth_terms));
    return max(depth_of(middle, depth_terms), least);
}

// Slices of a tile's distances for each unit; 0 where it is flat.
float slices_a_unit(float near, float far) {
    return far > near ? 32.0 / (far - near) : 0.0;
}

uint slice_of(float away, float near, float slices) {
    return uint(clamp((away - near) * slices, 0.0, 31.0));
}

// The slices that a ball reaches.
uint slices_of(vec4 ball, vec4 bound, vec4 depth_terms) {
    float near = distance_of(bound.x, depth_terms);
    float far = distance_of(bound.w, depth_terms);
    float reach = ball.w + distance_error(max(abs(near), abs(far)));
    float slices = slices_a_unit(near, far);
    if (slices <= 0.0) return 0xffffffffu;
    uint first = slice_of(ball.z - reach, near, slices);
    uint last = slice_of(ball.z + reach, near, slices);
    return (0xffffffffu << first) & (0xffffffffu >> (31u - last));
}

// Pixels of a picture.
struct Window {
    vec2 first;
    vec2 last;
};

// `tiles` along each side, from tile `tile` on.
Window window_of(uvec2 tile, uint tiles, uint side, vec2 size) {
    vec2 first = vec2(tile * side);
    return Window(first, min(first + float(tiles * side), size) - 1.0);
}

struct Lens {
    vec2 size; // of the picture, pixels
    vec2 scale;
    vec4 depth_terms;
    float perspective;
};

// What a window shows between two depths, and a little more, as far as distances are rounded.
Cell window_cell(Window window, float least, float greatest, Lens lens) {
    float near = distance_of(least, lens.depth_terms);
    float far = distance_of(greatest, lens.depth_terms);
    float error = distance_error(max(abs(near), abs(far)));
    return make_cell(slope_of(window.first, lens.size, lens.scale),
                     slope_of(window.last, lens.size, lens.scale), near - error, far + error,
                     lens.perspective);
}

// Between which distances the surfaces of one list of a tile lie. None: the first is greater. `bound`
// as of LightGrid::bounds.
vec2 list_distances(uint list, uint split, vec4 bound, vec4 depth_terms) {
    float near = distance_of(bound.x, depth_terms);
    float far = distance_of(bound.w, depth_terms);
    float middle = 0.5 * (near + far);
    if (has_two_lists(split) && list == 0u)
        far = split == kHalf ? middle : distance_of(bound.y, depth_terms);
    else if (has_two_lists(split))
        near = split == kHalf ? middle : distance_of(bound.z, depth_terms);
    float error = distance_error(max(abs(near), abs(far)));
    if (has_two_lists(split) && list == 1u && bound.z >= 1.0) near = far + 2.0 + 4.0 * error;
    return vec2(near - error, far + error);
}

Cell list_cell(uint list, uint split, vec4 bound, Window window, Lens lens) {
    vec2 distances = list_distances(list, split, bound, lens.depth_terms);
    return make_cell(slope_of(window.first, lens.size, lens.scale),
                     slope_of(window.last, lens.size, lens.scale), distances.x, distances.y,
                     lens.perspective);
}

// What a pixel shows, in view space, and how far that may be off along its ray.
vec4 seen_point(vec2 pixel, float away, Lens lens) {
    vec2 slope = slope_of(pixel, lens.size, lens.scale);
    float error = distance_error(away) * (1.0 + length(slope));
    return vec4(slope * mix(1.0, away, lens.perspective), away, error);
}

// `apex`: place and range; `axis`: of a spot, and the cosine of its half angle, below -1 for others.
bool lights_point(vec4 apex, vec4 axis, vec4 point) {
    vec3 from_light = point.xyz - apex.xyz;
    float squared = dot(from_light, from_light);
    float reach = apex.w + point.w;
    return squared < reach * reach &&
           (axis.w < -1.0 ||
            dot(axis.xyz, from_light) >= axis.w * sqrt(squared) - 2.0 * point.w);
}

#endif
