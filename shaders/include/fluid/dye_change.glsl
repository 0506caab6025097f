// What a dye does besides being carried. After fluid/carried.glsl.

// What diffusion adds, from the state before the step; nothing through sides and into solids.
vec4 spread(ivec3 cell) {
    if (params.diffused == 0.0 || params.from_nothing != 0u) return vec4(0.0);
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
    return params.diffused * sum;
}

vec4 changed(ivec3 cell, vec4 dye) {
    dye = max((dye + spread(cell)) * params.kept - params.consumed, 0.0);
    for (uint i = 0u; i < params.emitters; ++i)
        dye = mix(dye, params.emitter_dyes[i], emitted_share(i, vec3(cell) + 0.5, params.dt));
    return dye;
}
