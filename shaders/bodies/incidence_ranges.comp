#version 460
// Where each body's incidences begin and end among the sorted ones.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Twice { uint count; } twice;
readonly buffer Incident { uint values[]; } incident; // sorted
buffer Offsets { uvec2 values[]; } offsets; // zero where a body has none

uniform Params {
    uint count;
} params;

void main() {
    uint i = invocation_index();
    if (i >= twice.count) return;
    uint body = incident.values[i];
    if (body >= params.count) return;
    if (i == 0u || incident.values[i - 1u] != body) offsets.values[body].x = i;
    if (i + 1u == twice.count || incident.values[i + 1u] != body) offsets.values[body].y = i + 1u;
}
