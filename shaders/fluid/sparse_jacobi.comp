#version 460
#extension GL_EXT_control_flow_attributes : require
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

float swept(WalkedCell walked) {
    Neighbors around = Neighbors(0.0, 6.0);
    if (kStart != 1u) around = pressure_around(walked, kStart == 2u, params.ghost);
    precise float next = around.sum - divergence.cells[walked.index];
    if (kDamped != 0u) {
        bool kept = kStart == 0u || kStart == 2u && is_kept(walked.word);
        float own = kept ? pressure.cells[walked.index] : 0.0;
        next = own + params.omega * (next / around.diagonal - own);
    } else {
        next = next * (1.0 / 6.0);
    }
    return next;
}

void main() {
    if (!group_has_brick()) return;
    float next[kWalkRounds];
    [[unroll]] for (uint i = 0u; i < kWalkRounds; ++i) {
        WalkedCell walked = walked_cell(i);
        next[i] = walked.exists ? swept(walked) : 0.0;
    }
    [[unroll]] for (uint i = 0u; i < kWalkRounds; ++i) {
        WalkedCell walked = walked_cell(i);
        if (walked.exists) result.cells[walked.index] = next[i];
    }
}
