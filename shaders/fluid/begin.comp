#version 460
// What the execution before left, or the initial state.

#include "cells_full.glsl"
#include "begin.glsl"
