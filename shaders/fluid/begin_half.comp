#version 460
// What the execution before left, or the initial state, on a state of 16 bits.

#include "cells_half.glsl"
#include "begin.glsl"
