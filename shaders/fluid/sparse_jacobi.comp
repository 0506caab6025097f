#version 460
// A sweep of Jacobi's for the pressure in bricks: laplace(p) = divergence, cells of size 1.

layout(local_size_x = 64) in;
layout(constant_id = 1) const uint kStart = 0u;  // 1: from 0; 2: from the execution before
layout(constant_id = 2) const uint kDamped = 0u; // 1: by `omega`

#include "sparse_pressure.glsl"

uniform Params {
    float omega;
    float ghost; // of the level
} params;

readonly buffer Divergence { float cells[]; } divergence;
writeonly buffer Result { float cells[]; } result;

float swept(uint round_, Sides sides) {
    WalkedCell walked = walked_cell(round_);
    if (!walked.exists) return 0.0;
    Neighbors around = Neighbors(0.0, 6.0);
    if (kStart != 1u) around = pressure_around(walked, sides, params.ghost);
    precise float next = around.sum - divergence.cells[walked.index];
    if (kDamped != 0u) {
        float own = kStart != 1u && sides.own ? pressure.cells[walked.index] : 0.0;
        next = own + params.omega * (next / around.diagonal - own);
    } else {
        next = next * (1.0 / 6.0);
    }
    return next;
}

void store(uint round_, float next) {
    WalkedCell walked = walked_cell(round_);
    if (walked.exists) result.cells[walked.index] = next;
}

void main() {
    if (!group_has_brick()) return;
    Sides sides = sides_of(walked_cell(0u), kStart == 2u);
    // No loop: one that tools unroll may lose what `precise` says.
    vec4 next = vec4(swept(0u, sides), swept(1u, sides), swept(2u, sides), swept(3u, sides));
    store(0u, next.x);
    store(1u, next.y);
    store(2u, next.z);
    store(3u, next.w);
}
