// What both stages of kernels that draw a scene are told.
uniform Params {
    mat4 view_projection;
#include "scene/light_params.glsl"
} params;
