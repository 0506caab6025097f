#version 460
// A round of colours for bodies that touch: a body whose neighbours of higher priority all have theirs
// takes the least that no neighbour has (M. Jones and P. Plassmann, "A Parallel Graph Coloring Heuristic",
// 1993). What is read is the round before, so the result is the same in every run.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Offsets { uvec2 values[]; } offsets;
readonly buffer Incidences { uint values[]; } incidences;
readonly buffer Heads { uvec4 values[]; } heads;
readonly buffer Masses { vec4 values[]; } masses;
readonly buffer Before { uint values[]; } before;
writeonly buffer Colors { uint values[]; } colors;

uniform Params {
    uint count;
} params;

const uint kNoColor = 0xffffffffu;

bool comes_before(uint a, uint b) {
    uint first = a * 2654435761u;
    uint second = b * 2654435761u;
    first ^= first >> 15u;
    second ^= second >> 15u;
    return first != second ? first < second : a < b;
}

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    uint color = before.values[i];
    if (color == kNoColor && masses.values[2u * i].w > 0.0) {
        uint taken = 0u;
        bool waits = false;
        uvec2 range = offsets.values[i];
        for (uint k = range.x; k < range.y; ++k) {
            uvec4 head = heads.values[incidences.values[k] / 2u];
            uint other = head.x == i ? head.y : head.x;
            if (masses.values[2u * other].w <= 0.0) continue;
            uint its = before.values[other];
            if (its == kNoColor) {
                waits = waits || comes_before(other, i);
            } else {
                taken |= 1u << min(its, 31u);
            }
        }
        if (!waits && taken != 0xffffffffu) color = uint(findLSB(~taken));
    }
    colors.values[i] = color;
}
