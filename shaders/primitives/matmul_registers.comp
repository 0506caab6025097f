#version 460
// Matrix product by tiles of 64x64 for any device: 16 KiB of shared memory.

const uint kThreadRows = 4u;
const uint kThreadColumns = 4u;
const uint kTileInner = 16u;
#include "matmul_registers.glsl"
