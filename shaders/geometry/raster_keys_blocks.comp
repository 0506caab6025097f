#version 460
// Finds the nearest triangle of each pixel by 64-bit atomics, of large triangles.
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#include "params.glsl"
#include "output_keys.glsl"
#include "blocks.glsl"
