// Places that fluid comes from. Before it: `params` with the members of fluid/emitter_params.glsl.

// How much of an emitter's velocity or dye a cell has taken on after `dt`, 0 to 1. The rim is one
// cell wide, so that emitters may move by parts of a cell.
float emitted_share(uint emitter, vec3 middle_of_cell, float dt) {
    vec4 place = params.emitter_places[emitter];
    float inside = clamp(place.w - distance(middle_of_cell, place.xyz) + 0.5, 0.0, 1.0);
    return inside * (1.0 - exp(-params.emitter_velocities[emitter].w * dt));
}
