// What both stages that draw faces of media are told. C++: `Capture` of passes/volume/capture.cpp.
uniform Params {
    mat4 view_projection;
    vec3 eye;
    float near_plane;
    vec3 first;
    vec3 per_x;
    vec3 per_y;
    uvec2 size;
    uint depth_tested;
    uint reflects;
    uint environment_lit;
    uint fragment_room;
    uint near_words; // of a pixel, where the eye's media are counted
    float environment_rotation;
    vec3 environment_scale;
    vec4 extinction[256];
    vec4 emission[256];
    vec4 scatter[256];
} params;
