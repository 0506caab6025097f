// What the stages that draw bricks are told.
#include "sparse_look.glsl"
#include "sparse_behind.glsl"

uniform Params {
    mat4 clip_of_cells;
    vec3 eye;     // cells
    vec3 forward; // of a ray through the middle of the picture; from there ...
    vec3 right;   // ... to its right side
    vec3 down;    // ... and to its lower one
    vec2 texels;  // of the picture
    float step_length;
    float opaque;
    SmokeLight how;
    uint bucket; // of this draw, and of how many
    uint buckets;
    DepthRange range;
} params;
