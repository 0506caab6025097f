// What all kernels of a step of a bisection are told. C++: `bisection_node`.
uniform Params {
    vec4 ground;
    vec4 shape;
    vec2 bounds;
    uint depth;
    uint root_bits;
    uint faces;
    uint capacity;
    uint frozen; // 1: nothing is to be changed
    uint reset;  // another one than before begins again
    vec4 eye;
    vec2 scale;
} params;
