#version 460
// Which lights may reach the surfaces that a tile shows, each light tried by each tile: a bit for
// each, in one list a tile or in two for its near and its far surfaces.

layout(local_size_x = 256) in;
layout(constant_id = 0) const uint side = 16u; // of a tile, pixels
layout(constant_id = 1) const uint test = 2u;
layout(constant_id = 2) const uint split = 0u;

#include "status.glsl"
#include "tile.glsl"

readonly buffer Balls { vec4 values[]; } balls;
readonly buffer Cones { vec4 values[]; } cones;
readonly buffer Bounds { vec4 values[]; } bounds;
readonly buffer Slices { uint values[]; } slices;
uniform sampler2D depth;
writeonly buffer Masks { uint values[]; } masks;         // [tile][list][word]
writeonly buffer Summaries { uint values[]; } summaries; // [tile][list][word]

uniform Params {
    uint place_groups;
    uint count;         // lights
    uint stride;        // of a light in "balls", vectors
    uint words;         // of a list
    uint summary_words;
    vec2 size;          // of the picture, pixels
    vec2 scale;
    vec4 depth_terms;
    float perspective;
} params;

shared uint found[2u * kChunkWords];
shared uint confirmed[2u * kChunkWords];
shared uint summary[2];

Lens lens() {
    return Lens(params.size, params.scale, params.depth_terms, params.perspective);
}

void try_light(uint k, uint i, vec4 bound, uint slice_bits, Cell cells[2], uint lists) {
    vec4 ball = balls.values[params.stride * i];
    if (split == kMask && (slices_of(ball, bound, params.depth_terms) & slice_bits) == 0u) return;
    for (uint list = 0u; list < lists; ++list) {
        if (cells[list].near > cells[list].far || !meets(ball, cells[list], test)) continue;
        if (!cone_meets(cones.values[2u * i], cones.values[2u * i + 1u], cells[list])) continue;
        atomicOr(found[list * kChunkWords + k / 32u], 1u << (k % 32u));
    }
}

// Keeps of what is found the lights that reach the middle of a pixel.
void confirm(uint chunk, uint pixel_number, vec4 bound) {
    uvec2 pixel = gl_WorkGroupID.xy * side + uvec2(pixel_number % side, pixel_number / side);
    if (any(greaterThanEqual(pixel, uvec2(params.size)))) return;
    float value = texelFetch(depth, ivec2(pixel), 0).x;
    if (!shows_something(value)) return;
    vec4 point = seen_point(vec2(pixel), distance_of(value, params.depth_terms), lens());
    uint first = has_two_lists(split) && value > bound.y ? kChunkWords : 0u;
    for (uint w = 0u; w < kChunkWords; ++w) {
        uint left = found[first + w];
        for (; left != 0u; left &= left - 1u) {
            uint bit = left & -left;
            if ((confirmed[first + w] & bit) != 0u) continue;
            uint i = chunk * kChunk + 32u * w + uint(findLSB(left));
            if (lights_point(cones.values[2u * i], cones.values[2u * i + 1u], point))
                atomicOr(confirmed[first + w], bit);
        }
    }
}

void main() {
    write_status(params.place_groups);
    uint lane = gl_LocalInvocationID.x;
    uint lists = has_two_lists(split) ? 2u : 1u;
    uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    vec4 bound = bounds.values[tile];
    uint slice_bits = slices.values[tile];
    Window window = window_of(gl_WorkGroupID.xy, 1u, side, params.size);
    Cell cells[2] = Cell[2](list_cell(0u, split, bound, window, lens()),
                            list_cell(1u, split, bound, window, lens()));
    for (uint chunk = 0u; chunk < params.summary_words; ++chunk) {
        barrier();
        if (lane < 2u * kChunkWords) {
            found[lane] = 0u;
            confirmed[lane] = 0u;
        }
        if (lane < 2u) summary[lane] = 0u;
        barrier();
        for (uint k = lane; k < kChunk && bound.x <= bound.w; k += 256u)
            if (chunk * kChunk + k < params.count)
                try_light(k, chunk * kChunk + k, bound, slice_bits, cells, lists);
        barrier();
        if (test == kPixels) {
            for (uint p = lane; p < side * side; p += 256u)
                confirm(chunk, p, bound);
            barrier();
        }
        if (lane < lists * kChunkWords) {
            uint bits = test == kPixels ? confirmed[lane] : found[lane];
            if (bits != 0u) atomicOr(summary[lane / kChunkWords], 1u << (lane % kChunkWords));
            uint list = tile * lists + lane / kChunkWords;
            uint word = chunk * kChunkWords + lane % kChunkWords;
            if (word < params.words) masks.values[list * params.words + word] = bits;
        }
        barrier();
        if (lane < lists)
            summaries.values[(tile * lists + lane) * params.summary_words + chunk] = summary[lane];
    }
}
