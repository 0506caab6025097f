// What all kernels of a step are told. C++: `BisectionStep`.
uniform Params {
    vec4 ground;
    vec4 shape;
    vec2 bounds;
    uint depth;
    uint root_bits;
    uint faces;
    uint capacity;
    uint frozen; // 1: nothing is to be changed
    vec4 eye;
    vec2 scale;
} params;

// What becomes of a leaf in a step.
const uint kKeep = 0u;
const uint kCut = 1u;
const uint kMerge = 2u; // with its sibling, and the pair across
