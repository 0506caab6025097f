#version 460
// Which lights may reach the surfaces that a tile shows: a bit for each, in one list a tile or in
// two for its near and its far surfaces.

layout(local_size_x = 256) in;
layout(constant_id = 0) const uint side = 16u; // of a tile, pixels
layout(constant_id = 1) const uint test = 2u;
layout(constant_id = 2) const uint split = 0u;
layout(constant_id = 3) const uint has_macro_lists = 0u;

#include "cell.glsl"
#include "view.glsl"

const uint kPixels = 4u; // of `test`: exact, then each pixel
const uint kHalf = 1u;   // of `split`
const uint kModifiedHalf = 2u;
const uint kMask = 3u;
const uint kBlock = 4u; // tiles along a side of a block with a list
const uint kMostWords = 2048u;

readonly buffer Balls { vec4 values[]; } balls;
readonly buffer Cones { vec4 values[]; } cones;
readonly buffer Bounds { vec4 values[]; } bounds;
readonly buffer Slices { uint values[]; } slices;
readonly buffer MacroLists { uint values[]; } macro_lists;
readonly buffer MacroCounts { uint values[]; } macro_counts;
uniform sampler2D depth;
writeonly buffer Masks { uint values[]; } masks; // [tile][list][word]

uniform Params {
    uint count; // lights
    uint words; // of a list
    vec2 size;  // of the picture, pixels
    vec2 scale;
    vec4 depth_terms;
    float perspective;
} params;

shared uint found[kMostWords];
shared uint confirmed[kMostWords];

bool has_two_lists() {
    return split == kHalf || split == kModifiedHalf;
}

// The surfaces of one list, and a little more, as far as distances are rounded. None: near > far.
Cell cell_of(uint list, vec4 bound) {
    float near = distance_of(bound.x, params.depth_terms);
    float far = distance_of(bound.w, params.depth_terms);
    float middle = 0.5 * (near + far);
    if (has_two_lists() && list == 0u)
        far = split == kHalf ? middle : distance_of(bound.y, params.depth_terms);
    else if (has_two_lists())
        near = split == kHalf ? middle : distance_of(bound.z, params.depth_terms);
    float error = distance_error(max(abs(near), abs(far)));
    if (has_two_lists() && list == 1u && bound.z >= 1.0) near = far + 2.0 + 4.0 * error;
    vec2 first = vec2(gl_WorkGroupID.xy * side);
    vec2 last = min(first + float(side), params.size) - 1.0;
    return make_cell(slope_of(first, params.size, params.scale),
                     slope_of(last, params.size, params.scale), near - error,
                     far + error,
                     params.perspective);
}

// The slices that a ball reaches: those whose bits lie between its ends.
uint slices_of(vec4 ball, vec4 bound) {
    float near = distance_of(bound.x, params.depth_terms);
    float far = distance_of(bound.w, params.depth_terms);
    float reach = ball.w + distance_error(max(abs(near), abs(far)));
    float slices_a_unit = far > near ? 32.0 / (far - near) : 0.0;
    uint first = 0u;
    uint last = 31u;
    if (slices_a_unit > 0.0) {
        first = uint(clamp((ball.z - reach - near) * slices_a_unit, 0.0, 31.0));
        last = uint(clamp((ball.z + reach - near) * slices_a_unit, 0.0, 31.0));
    }
    return (0xffffffffu << first) & (0xffffffffu >> (31u - last));
}

bool lights_point(uint i, vec3 point, float error) {
    vec4 apex = cones.values[2u * i];
    vec4 axis = cones.values[2u * i + 1u];
    vec3 from_light = point - apex.xyz;
    float squared = dot(from_light, from_light);
    float reach = apex.w + error;
    return squared < reach * reach &&
           (axis.w < -1.0 || dot(axis.xyz, from_light) >= axis.w * sqrt(squared) - 2.0 * error);
}

// Keeps of what is found the lights that reach the middle of a pixel.
void confirm(uint pixel_number, vec4 bound) {
    uvec2 pixel = gl_WorkGroupID.xy * side + uvec2(pixel_number % side, pixel_number / side);
    if (any(greaterThanEqual(pixel, uvec2(params.size)))) return;
    float value = texelFetch(depth, ivec2(pixel), 0).x;
    if (!(value >= 0.0 && value < 1.0)) return;
    float away = distance_of(value, params.depth_terms);
    vec2 slope = slope_of(vec2(pixel), params.size, params.scale);
    vec3 point = vec3(slope * mix(1.0, away, params.perspective), away);
    float error = distance_error(away) * (1.0 + length(slope)); // along the pixel's ray
    uint first = has_two_lists() && value > bound.y ? params.words : 0u;
    for (uint w = 0u; w < params.words; ++w) {
        uint left = found[first + w];
        while (left != 0u) {
            uint bit = uint(findLSB(left));
            left &= left - 1u;
            bool known = (confirmed[first + w] & (1u << bit)) != 0u;
            if (!known && lights_point(32u * w + bit, point, error))
                atomicOr(confirmed[first + w], 1u << bit);
        }
    }
}

void try_light(uint i, vec4 bound, uint slice_bits, Cell cells[2], uint lists) {
    vec4 ball = balls.values[i];
    if (split == kMask && (slices_of(ball, bound) & slice_bits) == 0u) return;
    for (uint list = 0u; list < lists; ++list) {
        if (cells[list].near > cells[list].far || !meets(ball, cells[list], test)) continue;
        if (!cone_meets(cones.values[2u * i], cones.values[2u * i + 1u], cells[list])) continue;
        atomicOr(found[list * params.words + i / 32u], 1u << (i % 32u));
    }
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    uint lists = has_two_lists() ? 2u : 1u;
    uint all_words = lists * params.words;
    uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    for (uint w = lane; w < all_words; w += 256u) {
        found[w] = 0u;
        confirmed[w] = 0u;
    }
    barrier();

    vec4 bound = bounds.values[tile];
    if (bound.x <= bound.w) {
        Cell cells[2] = Cell[2](cell_of(0u, bound), cell_of(1u, bound));
        uint slice_bits = slices.values[tile];
        uint blocks_x = (gl_NumWorkGroups.x + kBlock - 1u) / kBlock;
        uint block = gl_WorkGroupID.y / kBlock * blocks_x + gl_WorkGroupID.x / kBlock;
        uint tried = has_macro_lists != 0u ? macro_counts.values[block] : params.count;
        for (uint k = lane; k < tried; k += 256u) {
            uint i = has_macro_lists != 0u ? macro_lists.values[block * params.count + k] : k;
            try_light(i, bound, slice_bits, cells, lists);
        }
    }
    barrier();
    if (test == kPixels) {
        for (uint p = lane; p < side * side; p += 256u)
            confirm(p, bound);
        barrier();
    }
    for (uint w = lane; w < all_words; w += 256u)
        masks.values[tile * all_words + w] = test == kPixels ? confirmed[w] : found[w];
}
