#ifndef FLUID_SPARSE_LOOK
#define FLUID_SPARSE_LOOK
// How smoke looks.
struct SmokeLight {
    float extinction; // of smoke of amount 1, 1 / cell
    float glow;
    vec3 albedo;
    vec3 light;
    vec3 ambient;
};

#endif
