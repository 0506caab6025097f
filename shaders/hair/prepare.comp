#version 460
// What strands are at rest: the lengths of their edges, and each edge in the frame of the one before
// it. A strand that is not finite, or has an edge of no length, is counted, and becomes rigid.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "strand.glsl"

readonly buffer Points { vec4 values[]; } points;
readonly buffer Given { uint values[]; } given; // group of each strand
writeonly buffer Rest { vec4 values[]; } rest;
// Woven: the edge to a vertex in the frame before it, or the first frame; see below.
writeonly buffer Local { vec4 values[]; } local;
writeonly buffer Goals { vec4 values[]; } goals; // the places, woven
writeonly buffer First { vec4 values[]; } first_frames;
writeonly buffer Groups { uint values[]; } groups;
buffer Status { uint bad; } status;

uniform Params {
    uint count;
    uint vertices;
} params;

void main() {
    uint strand = invocation_index();
    if (strand >= params.count) return;
    uint first = strand * params.vertices;
    bool finite = true;
    bool long_enough = true;
    for (uint v = 0u; v < params.vertices; ++v) {
        vec3 x = points.values[first + v].xyz;
        finite = finite && is_finite(x);
        if (v > 0u) long_enough = long_enough && distance(points.values[first + v - 1u].xyz, x) > kShortest;
    }
    bool good = finite && long_enough;
    if (!good) atomicAdd(status.bad, 1u);
    groups.values[strand] = min(given.values[strand], kGroups - 1u) | (good && params.vertices > 2u ? 0u : kRigid);

    vec3 x = finite ? points.values[first].xyz : vec3(0.0);
    vec4 frame = kNoTurn;
    vec3 seen = vec3(0.0); // the edge to the vertex, from the edge before
    for (uint v = 0u; v < params.vertices; ++v) {
        bool last = v + 1u == params.vertices;
        vec3 next = last || !finite ? x : points.values[first + v + 1u].xyz;
        vec3 along = next - x;
        float size = length(along);
        float rest_here = last ? 0.0 : size;
        rest.values[first + v] = vec4(x, rest_here);
        uint at = woven(strand, v, params.vertices);
        goals.values[at] = vec4(x, rest_here);
        local.values[at] = vec4(seen, rest_here);
        if (v == 0u) {
            frame = turn_from_x(size > 0.0 ? along / size : vec3(1.0, 0.0, 0.0));
            first_frames.values[strand] = frame;
            seen = vec3(size, 0.0, 0.0);
        } else if (!last) {
            seen = turned(inverse_turn(frame), along);
            if (size > 0.0) frame = normalize(joined_turns(frame, turn_from_x(normalize(seen))));
        }
        x = next;
    }
}
