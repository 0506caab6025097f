// What the kernels of a step of a bisection with wide nodes are told.
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

// Bits of a leaf's plan: it is cut, its first and its second child are cut; it is merged.
const uint kCutLeaf = 1u;
const uint kCutFirst = 2u;
const uint kCutSecond = 4u;
