#version 460
// Which share of the light reaches each cell, through smoke and past solids.

layout(local_size_x = 8, local_size_y = 8) in;

#include "smoke.glsl"

uniform Params {
    SmokeGrid smoke;
    float extinction;   // of smoke of amount 1, 1 / cell of the dye
    vec3 towards_light; // of unit length
} params;

writeonly buffer Reached { float values[]; } reached;

const float kStep = 1.0;
const float kDark = 0.004;

void main() {
    ivec3 cell = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(cell, params.smoke.dims))) return;
    vec3 place = vec3(cell) + 0.5;
    float share = 1.0;
    for (;;) {
        place += kStep * params.towards_light;
        ivec3 at = ivec3(floor(place));
        if (!is_in_grid(params.smoke, at) || share < kDark) break;
        if (is_solid_at(params.smoke, at)) {
            share = 0.0;
            break;
        }
        float amount = amount_of(dye.cells[dye_index(params.smoke, at)]);
        share *= exp(-kStep * params.extinction * amount);
    }
    reached.values[dye_index(params.smoke, cell)] = share;
}
