// Elements are moved as words; what the bits mean is a constant of the pipeline, so one kernel
// serves all types. In C++, `specialize(node, Element)` sets it.
#ifndef PRIMITIVES_ELEMENTS
#define PRIMITIVES_ELEMENTS
layout(constant_id = 1) const uint element_type = 0u;

const uint kUint = 0u;
const uint kInt = 1u;
const uint kFloat = 2u;

// A word whose unsigned order is the order of the elements. Floats are in their total order:
// -NaN, -inf, ..., -0, +0, ..., +inf, NaN. (Expressions, here and in operators.glsl, where branches
// would read better: software devices take long over kernels of many branches.)
uint ordered_key(uint bits) {
    uint negative = mix(0u, uint(int(bits) >> 31), element_type == kFloat); // all ones, or zero
    return bits ^ mix(negative | 0x80000000u, 0u, element_type == kUint);
}

// The inverse.
uint from_ordered_key(uint key) {
    uint negative = mix(0u, ~uint(int(key) >> 31), element_type == kFloat);
    return key ^ mix(negative | 0x80000000u, 0u, element_type == kUint);
}

// By the bits: isnan may be compiled away where a compiler assumes that there are none.
bool is_nan(uint bits) {
    return (bits & 0x7fffffffu) > 0x7f800000u;
}
#endif
