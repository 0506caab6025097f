#version 460
// Where bodies would go by themselves.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Motions { vec4 values[]; } motions;
readonly buffer Masses { vec4 values[]; } masses;
writeonly buffer Aims { vec4 values[]; } aims; // two quads a body: way and turn
writeonly buffer Shifts { vec4 values[]; } shifts;
writeonly buffer Colors { uint values[]; } colors;

uniform Params {
    uint count;
    float dt;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    bool moves = masses.values[2u * i].w > 0.0;
    for (uint k = 0u; k < 2u; ++k) {
        vec4 way = moves ? vec4(motions.values[2u * i + k].xyz * params.dt, 0.0) : vec4(0.0);
        aims.values[2u * i + k] = way;
        shifts.values[2u * i + k] = way;
    }
    colors.values[i] = 0xffffffffu;
}
