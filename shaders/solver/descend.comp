#version 460
// A sweep over a volume of regular cells, and the residual, as right-hand side of the coarser grid.
#extension GL_EXT_control_flow_attributes : require
#include "volume.glsl"
