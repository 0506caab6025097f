#version 460
// What is left of the divergence: divergence - laplace(p).

layout(local_size_x = 256) in;

#include "sparse_pressure.glsl"

readonly buffer Divergence { float cells[]; } divergence;
writeonly buffer Result { float cells[]; } result;

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell();
    if (!walked.exists) return;
    precise float laplace = pressure_sum(walked, false) - 6.0 * pressure.cells[walked.index];
    result.cells[walked.index] = divergence.cells[walked.index] - laplace;
}
