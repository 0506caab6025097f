#version 460
// A picture of a flow, or of a slice of one.

layout(local_size_x = 16, local_size_y = 16) in;
layout(constant_id = 2) const uint kShown = 0u; // FluidShown: dye, fire, speed, density, whirls

uniform Params {
    ivec3 shown_dims; // of what is shown
    int layer;        // of that
    int solid_layer;  // of the flow
    float gain;
    vec3 background;
    vec3 solid_color;
} params;

#include "flame.glsl"
#include "flow_cells.glsl" // of the flow, or of its dye
#include "solid.glsl"

writeonly uniform image2D result;

// Beyond a periodic side lies the other end of its axis, beyond others the last cell.
vec4 cell_at(ivec2 cell) {
    int x = place_along(0, params.shown_dims.x, cell.x).at;
    int y = place_along(1, params.shown_dims.y, cell.y).at;
    return flow_cell(uint((params.layer * params.shown_dims.y + y) * params.shown_dims.x + x));
}

vec3 signed_color(float value) {
    vec3 side = value > 0.0 ? vec3(1.0, 0.25, 0.08) : vec3(0.1, 0.35, 1.0);
    return side * min(abs(value), 4.0) + 0.02;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    vec2 place = (vec2(texel) + 0.5) / vec2(size);
    ivec2 own = min(ivec2(place * vec2(grid.dims.xy)), grid.dims.xy - 1);
    if (is_obstacle(ivec3(own, params.solid_layer))) {
        imageStore(result, texel, vec4(params.solid_color, 1.0));
        return;
    }
    vec2 from = place * vec2(params.shown_dims.xy) - 0.5;
    ivec2 corner = ivec2(floor(from));
    vec2 share = from - vec2(corner);
    vec4 value = mix(mix(cell_at(corner), cell_at(corner + ivec2(1, 0)), share.x),
                     mix(cell_at(corner + ivec2(0, 1)), cell_at(corner + 1), share.x), share.y);
    vec3 color = vec3(0.0);
    if (kShown == 0u) {
        color = params.background + params.gain * value.rgb;
    } else if (kShown == 1u) {
        float smoke = 1.0 - exp(-params.gain * value.r);
        color = mix(params.background, vec3(0.06), smoke) + flame_color(params.gain * value.a);
    } else if (kShown == 2u) {
        color = vec3(0.3, 0.75, 1.0) * params.gain * length(value.xyz) + 0.01;
    } else if (kShown == 3u) {
        color = signed_color(params.gain * value.w);
    } else {
        vec2 dx = cell_at(own + ivec2(1, 0)).xy - cell_at(own - ivec2(1, 0)).xy;
        vec2 dy = cell_at(own + ivec2(0, 1)).xy - cell_at(own - ivec2(0, 1)).xy;
        color = signed_color(params.gain * 0.5 * (dx.y - dy.x));
    }
    imageStore(result, texel, vec4(color, 1.0));
}
