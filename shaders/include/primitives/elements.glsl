// Elements are moved as words; what the bits mean is a constant of the pipeline, so one kernel
// serves all types. In C++, `specialize(node, Element)` sets it.
#ifndef PRIMITIVES_ELEMENTS
#define PRIMITIVES_ELEMENTS
layout(constant_id = 1) const uint element_type = 0u;

const uint kUint = 0u;
const uint kInt = 1u;
const uint kFloat = 2u;

// A word whose unsigned order is the order of the elements. Floats are in their total order:
// -NaN, -inf, ..., -0, +0, ..., +inf, NaN.
uint ordered_key(uint bits) {
    if (element_type == kInt) return bits ^ 0x80000000u;
    if (element_type == kFloat) return bits ^ ((bits >> 31) != 0u ? 0xffffffffu : 0x80000000u);
    return bits;
}

// The inverse.
uint from_ordered_key(uint key) {
    if (element_type == kInt) return key ^ 0x80000000u;
    if (element_type == kFloat) return key ^ ((key >> 31) != 0u ? 0x80000000u : 0xffffffffu);
    return key;
}

// By the bits: isnan may be compiled away where a compiler assumes that there are none.
bool is_nan(uint bits) {
    return (bits & 0x7fffffffu) > 0x7f800000u;
}
#endif
