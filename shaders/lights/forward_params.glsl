// What both stages of lights/forward are told.
uniform Params {
    mat4 view_projection;
    mat4 world_from_view;
    uint count;
    uint words;
    uint summary_words;
    uint room;
    uint side;
    uint tiles_x;
    uint lists_a_tile;
    float perspective;
    vec2 size; // of the picture, pixels
    vec2 scale;
    vec4 depth_terms;
    vec4 bin_terms;
    vec3 ambient;
    float roughness;
    float metallic;
} params;
