#version 460
// Sweeps over a picture of regular cells, and the residual, as right-hand side of the coarser grid.
#extension GL_EXT_control_flow_attributes : require
#include "picture.glsl"
