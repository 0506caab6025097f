#version 460
// The material frames of rods at rest, where the head is; or those that went before.

layout(local_size_x = 64) in;

#include "clock.glsl"
#include "invocation.glsl"
#include "strand.glsl"

readonly buffer Frames { vec4 values[]; } frames;
readonly buffer Local { vec4 values[]; } local;
layout(constant_id = 1) const uint has_roots = 0u;
readonly buffer Roots { vec4 values[]; } roots;
layout(constant_id = 2) const uint has_before = 0u;
readonly buffer Before { vec4 values[]; } before;
layout(constant_id = 3) const uint kFirst = 0u; // 1: where the head is before the steps
writeonly buffer Turns { vec4 values[]; } turns;

uniform Params {
    uint count;
    uint vertices;
} params;

void main() {
    uint strand = invocation_index();
    if (strand >= params.count) return;
    uint first = strand * params.vertices;
    bool goes_on = has_before != 0u && !clock_resets();
    Place head = kFirst != 0u ? head_at(0u) : head_now();
    if (has_roots != 0u)
        head = joined_places(head, Place(roots.values[2u * strand], roots.values[2u * strand + 1u].xyz));
    vec4 frame = joined_turns(head.turn, frames.values[strand]);
    for (uint v = 0u; v < params.vertices; ++v) {
        if (v > 0u && v + 1u < params.vertices) {
            vec3 along = local.values[woven(strand, v + 1u, params.vertices)].xyz;
            float size = length(along);
            if (size > 0.0) frame = normalize(joined_turns(frame, turn_from_x(along / size)));
        }
        turns.values[first + v] = goes_on ? before.values[first + v] : frame;
    }
}
