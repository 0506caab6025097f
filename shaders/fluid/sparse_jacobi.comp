#version 460
// A sweep of Jacobi's for the pressure in bricks: laplace(p) = divergence, cells of size 1.

layout(local_size_x = 256) in;
layout(constant_id = 1) const uint kStart = 0u;  // 1: from 0; 2: from the execution before
layout(constant_id = 2) const uint kDamped = 0u; // 1: by `omega`

#include "sparse_pressure.glsl"

uniform Params { float omega; } params;

readonly buffer Divergence { float cells[]; } divergence;
writeonly buffer Result { float cells[]; } result;

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell();
    if (!walked.exists) return;
    float sum = kStart == 1u ? 0.0 : pressure_sum(walked, kStart == 2u);
    precise float next = (sum - divergence.cells[walked.index]) * (1.0 / 6.0);
    if (kDamped != 0u) {
        float own = kStart == 1u ? 0.0 : pressure_at(walked, walked.local, kStart == 2u);
        next = own + params.omega * (next - own);
    }
    result.cells[walked.index] = next;
}
