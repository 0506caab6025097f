#version 460
// Puts a groom among others.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Rest { vec4 values[]; } rest;
readonly buffer Local { vec4 values[]; } local;
readonly buffer Groups { uint values[]; } groups;
writeonly buffer AllRest { vec4 values[]; } all_rest;
writeonly buffer AllLocal { vec4 values[]; } all_local;
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
    uint to = params.first * params.vertices + at;
    all_rest.values[to] = rest.values[at];
    all_local.values[to] = local.values[at];
    if (at % params.vertices != 0u) return;
    uint strand = at / params.vertices;
    all_groups.values[params.first + strand] = params.group | (groups.values[strand] & 0x80000000u);
}
