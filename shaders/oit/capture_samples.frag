#version 460
//! vertex oit/corner
// Keeps the fragments of transparent surfaces, one for each sample.

#include "capture.glsl"

void main() {
    capture(1u << uint(gl_SampleID));
}
