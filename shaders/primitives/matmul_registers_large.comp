#version 460
// Matrix product by tiles of 128x256, for devices with 48 KiB of shared memory and many registers.

const uint kThreadRows = 8u;
const uint kThreadColumns = 16u;
const uint kTileInner = 16u;
#include "matmul_registers.glsl"
