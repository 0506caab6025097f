#version 460
// Corrects a volume of regular cells by the coarser grid, relaxes it, and measures the residual.
#extension GL_EXT_control_flow_attributes : require
#define CORRECTED
#include "volume.glsl"
