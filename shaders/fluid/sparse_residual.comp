#version 460
// What is left of the divergence: divergence - laplace(p).

layout(local_size_x = 256) in;

#include "sparse_pressure.glsl"

uniform Params { float ghost; } params; // of the level

readonly buffer Divergence { float cells[]; } divergence;
writeonly buffer Result { float cells[]; } result;

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell();
    if (!walked.exists) return;
    Neighbors around = pressure_around(walked, sides_of(walked, false), params.ghost);
    precise float laplace = around.sum - around.diagonal * pressure.cells[walked.index];
    result.cells[walked.index] = divergence.cells[walked.index] - laplace;
}
