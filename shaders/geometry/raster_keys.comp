#version 460
// Finds the nearest triangle of each pixel by 64-bit atomics, of triangles but for large ones.
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#define LISTS_PARTS
#include "params.glsl"
#include "output_keys.glsl"
#include "triangles.glsl"
