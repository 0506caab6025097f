#version 460
// Keeps the fragments of transparent surfaces, one for each sample.

#include "capture.glsl"

void main() {
    capture(1u << uint(gl_SampleID));
}
