#version 460
// Which lights meet what a tile may show at any distance: a bit for each.

layout(local_size_x = 256) in;
layout(constant_id = 0) const uint side = 16u; // of a tile, pixels

#include "status.glsl"
#include "tile.glsl"

readonly buffer Balls { vec4 values[]; } balls;
writeonly buffer Masks { uint values[]; } masks;         // [tile][word]
writeonly buffer Summaries { uint values[]; } summaries; // [tile][word]

uniform Params {
    uint place_groups;
    uint count;         // lights
    uint words;         // of a tile
    uint summary_words;
    vec2 size;          // of the picture, pixels
    vec2 scale;
    float perspective;
    float near;
    float far;
} params;

shared uint found[kChunkWords];
shared uint summary;

void main() {
    write_status(params.place_groups);
    uint lane = gl_LocalInvocationID.x;
    Window window = window_of(gl_WorkGroupID.xy, 1u, side, params.size);
    Cell cell = make_cell(slope_of(window.first, params.size, params.scale),
                          slope_of(window.last, params.size, params.scale),
                          params.near - distance_error(params.near),
                          params.far + distance_error(params.far), params.perspective);
    uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    for (uint chunk = 0u; chunk < params.summary_words; ++chunk) {
        if (lane < kChunkWords) found[lane] = 0u;
        if (lane == 0u) summary = 0u;
        barrier();
        for (uint k = lane; k < kChunk; k += 256u) {
            uint i = chunk * kChunk + k;
            if (i < params.count && meets(balls.values[i], cell, kPlanes))
                atomicOr(found[k / 32u], 1u << (k % 32u));
        }
        barrier();
        uint word = chunk * kChunkWords + lane;
        if (lane < kChunkWords && word < params.words) {
            masks.values[tile * params.words + word] = found[lane];
            if (found[lane] != 0u) atomicOr(summary, 1u << lane);
        }
        barrier();
        if (lane == 0u) summaries.values[tile * params.summary_words + chunk] = summary;
        barrier();
    }
}
