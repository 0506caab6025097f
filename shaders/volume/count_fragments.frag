#version 460
//! vertex volume/face
// Counts the faces of media in each texel.

#include "capture_fragment.glsl"

buffer Counts { uint values[]; } counts;

void main() {
    if (is_hidden(face_distance(ray_direction()))) return;
    atomicAdd(counts.values[pixel_number()], 1u);
}
