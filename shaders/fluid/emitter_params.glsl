    uint emitters;
    vec4 emitter_places[8];     // middle and radius, cells
    vec4 emitter_velocities[8]; // velocity, and the rate at which fluid takes it on
    vec4 emitter_dyes[8];
