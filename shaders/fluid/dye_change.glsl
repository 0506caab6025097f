// What a dye does besides being carried. After fluid/carried.glsl.

// What diffusion adds, from the state before the step; nothing through sides and into solids.
vec4 spread(ivec3 cell) {
    if (params.diffusion == 0.0 || params.from_nothing != 0u) return vec4(0.0);
    vec4 here = before.cells[dye_index(cell)];
    vec4 sum = vec4(0.0);
    int neighbours = is_flat() ? 4 : 6;
    for (int i = 0; i < neighbours; ++i) {
        ivec3 beside = cell;
        beside[i >> 1] += (i & 1) * 2 - 1;
        uvec2 place = dye_place(beside);
        if (place.y == 1u) sum += before.cells[place.x] - here;
        if (place.y == 2u) sum -= here;
    }
    return params.diffusion * elapsed() * sum;
}

// What an emitter leaves of the dye of fluid that has come `from` there. It gives all the way, which
// is looked at once a cell: where fluid crosses more than one in a step, what it passes would else
// have teeth.
float left_by(uint emitter, vec3 here, vec3 from) {
    int looks = clamp(int(ceil(distance(here, from))), 1, 8);
    float taken = taken_on(emitter, elapsed() / float(looks));
    float left = 1.0;
    for (int k = 0; k < looks; ++k)
        left *= 1.0 - taken * within_emitter(emitter, mix(here, from, float(k) / float(looks)));
    return left;
}

vec4 changed(ivec3 cell, vec3 from, vec4 dye) {
    float time = elapsed();
    dye = max((dye + spread(cell)) * exp(-params.decay * time) - params.consumption * time, 0.0);
    for (uint i = 0u; i < params.emitters; ++i)
        dye = mix(params.emitter_dyes[i], dye, left_by(i, vec3(cell) + 0.5, from));
    return dye;
}
