// Places that fluid comes from. `place`: an emitter's middle and radius, in cells; `rate`: at which
// fluid takes on what it gives.

// How far within an emitter something is, 0 to 1. The halo is one cell wide, so that emitters may move
// by parts of a cell.
float within_emitter(vec4 place, vec3 here) {
    return clamp(place.w - distance(here, place.xyz) + 0.5, 0.0, 1.0);
}
// How much of an emitter's velocity or dye fluid has taken on after `dt`, 0 to 1: within it, and at a
// place.
float taken_on(float rate, float dt) {
    return 1.0 - exp(-rate * dt);
}
float emitted_share(vec4 place, float rate, vec3 here, float dt) {
    return within_emitter(place, here) * taken_on(rate, dt);
}
