// What both stages of kernels that draw a scene are told.
uniform Params {
    mat4 view_projection;
    mat4 light_view_projection; // world to the shadow map's clip space
    vec4 eye;                   // w 1: position of the camera; w 0: direction towards it
    vec3 light_direction;       // unit, towards the light
    float light_texel;          // world units a texel of the shadow map covers
    vec3 light_irradiance;      // on a surface that faces the light
    float environment_rotation; // degrees
    vec3 environment_scale;     // multiplies the environment's radiance
    float roughness_scale;      // of all materials
    uint shadows;               // 1: the shadow map is looked at
} params;
