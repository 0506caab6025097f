// What both stages of lights/volume are told.
uniform Params {
    mat4 view_from_world;
    mat4 world_from_view;
    vec4 depth_terms;
    vec2 scale;
    vec2 size; // of the picture, pixels
    float perspective;
    float near;
    float roughness;
    float metallic;
} params;
