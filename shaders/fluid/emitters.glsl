// Places that fluid comes from. Before it: `params` with the members of an emitter: emitters, emitter_places and so on.

// How far within an emitter a place is, 0 to 1. The rim is one cell wide, so that emitters may move
// by parts of a cell.
float within_emitter(uint emitter, vec3 place) {
    vec4 ball = params.emitter_places[emitter];
    return clamp(ball.w - distance(place, ball.xyz) + 0.5, 0.0, 1.0);
}
// How much of an emitter's velocity or dye fluid has taken on after `dt`, 0 to 1: within it, and at a
// place.
float taken_on(uint emitter, float dt) {
    return 1.0 - exp(-params.emitter_velocities[emitter].w * dt);
}
float emitted_share(uint emitter, vec3 place, float dt) {
    return within_emitter(emitter, place) * taken_on(emitter, dt);
}
