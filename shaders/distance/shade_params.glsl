// What the kernels of distance/shade are told.
uniform sampler2D field;
uniform sampler2D background; // of the picture's size; may be missing

uniform Params {
    uint mode;          // a ShadeMode
    uint differences;   // 1: the width of a pixel is that of differences of the field
    uint has_background;
    float per_texel;    // what the field grows by from a texel to the next
    float contour;      // its value there
    float thickness;    // lengths in texels of the field
    float radius;
    float softness;
    float period;
    float animation;    // 0 to 1
    vec2 offset;
    vec4 color;
    vec4 effect;
    vec4 ground;
    vec3 to_x; // from pixels to texels: see passes/distance/shade_placement.hpp
    vec3 to_y;
    vec3 to_w;
} params;
