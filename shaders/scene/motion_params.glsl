uniform Params {
    mat4 view_projection;
    vec2 size; // of the picture, texels
} params;
