// What the kernels of nbody.json know of a body.
struct Body {
    vec4 place; // and mass in w
    vec4 speed;
};
