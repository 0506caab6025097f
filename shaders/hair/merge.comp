#version 460
// Puts a groom among others.

layout(local_size_x = 256) in;

#include "invocation.glsl"
#include "strand.glsl"

readonly buffer Rest { vec4 values[]; } rest;
readonly buffer Local { vec4 values[]; } local;
readonly buffer Goals { vec4 values[]; } goals;
readonly buffer Frames { vec4 values[]; } frames;
readonly buffer Groups { uint values[]; } groups;
writeonly buffer AllRest { vec4 values[]; } all_rest;
writeonly buffer AllLocal { vec4 values[]; } all_local;
writeonly buffer AllGoals { vec4 values[]; } all_goals;
writeonly buffer AllFrames { vec4 values[]; } all_frames;
writeonly buffer AllGroups { uint values[]; } all_groups;

uniform Params {
    uint count; // strands
    uint vertices;
    uint first; // strands before them
    uint group;
} params;

void main() {
    uint at = invocation_index();
    if (at >= params.count * params.vertices) return;
    uint strand = at / params.vertices;
    uint vertex = at % params.vertices;
    all_rest.values[params.first * params.vertices + at] = rest.values[at];
    uint from = woven(strand, vertex, params.vertices);
    uint to = woven(params.first + strand, vertex, params.vertices);
    all_local.values[to] = local.values[from];
    all_goals.values[to] = goals.values[from];
    if (vertex != 0u) return;
    all_frames.values[params.first + strand] = frames.values[strand];
    all_groups.values[params.first + strand] = params.group | (groups.values[strand] & 0x80000000u);
}
