#version 460
//! vertex oit/corner
// Keeps the fragments of transparent surfaces, one for all samples of a pixel that it covers.

#include "capture.glsl"

void main() {
    capture(uint(gl_SampleMaskIn[0]) & kAllSamples);
}
