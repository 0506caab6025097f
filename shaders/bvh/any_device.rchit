#version 460
#extension GL_EXT_ray_tracing : require
#include "bvh/device_closest.glsl"
