// Transforms of square tiles that a group has in its shared memory: of the lines along y, then of those
// along x. Neighbours in the group have neighbouring lines.
//
// A line of 8 p numbers takes a step of radix 8, over numbers p apart, and one of radix p. A step leaves
// its results where it has read, so frequency k + 8 m ends up at place k p + m; only those who read next
// wait. The way back undoes the steps in the opposite order, and begins and ends in these places.
#include "fft/butterflies.glsl"

layout(constant_id = 1) const uint side = 64u;
layout(constant_id = 2) const uint elements = 8u; // that an invocation keeps
layout(constant_id = 3) const uint pitch = 65u;   // odd: neighbours of a column meet different banks

readonly buffer Roots { vec2 values[]; } roots; // exp(-2 pi i k / side)

const uint kOther = side / 8u; // the radix besides 8
const uint kWorkers = side / elements; // invocations of a line
shared vec2 exchanged[side * pitch];

vec2 value[elements];

uint own_line() {
    return gl_LocalInvocationIndex % side;
}
// The invocation's butterfly number `b`.
uint butterfly(uint b) {
    return gl_LocalInvocationIndex / side + b * kWorkers;
}
// Where a step reads value `k` of a butterfly, and leaves it.
uint place_of_eight(uint b, uint k) {
    return butterfly(b) + k * kOther;
}
uint place_of_other(uint b, uint m) {
    return butterfly(b) * kOther + m;
}

uint cell(bool along_x, uint place) {
    return along_x ? own_line() * pitch + place : place * pitch + own_line();
}

void read_eights(bool along_x) {
    [[unroll]] for (uint e = 0u; e < elements; ++e)
        value[e] = exchanged[cell(along_x, place_of_eight(e / 8u, e % 8u))];
}
void write_eights(bool along_x) {
    [[unroll]] for (uint e = 0u; e < elements; ++e)
        exchanged[cell(along_x, place_of_eight(e / 8u, e % 8u))] = value[e];
}
void read_others(bool along_x) {
    [[unroll]] for (uint e = 0u; e < elements; ++e)
        value[e] = exchanged[cell(along_x, place_of_other(e / kOther, e % kOther))];
}
void write_others(bool along_x) {
    [[unroll]] for (uint e = 0u; e < elements; ++e)
        exchanged[cell(along_x, place_of_other(e / kOther, e % kOther))] = value[e];
}

void step_of_eight() {
    [[unroll]] for (uint e = 0u; e < elements; e += 8u)
        butterfly_8(value[e], value[e + 1u], value[e + 2u], value[e + 3u], value[e + 4u],
                    value[e + 5u], value[e + 6u], value[e + 7u]);
}
void step_of_other() {
    if (kOther == 8u) {
        step_of_eight();
        return;
    }
    [[unroll]] for (uint e = 0u; e < elements; e += 4u)
        butterfly_4(value[e], value[e + 1u], value[e + 2u], value[e + 3u]);
}

// Between the steps: number `j` of those p apart, of frequency k of the eight, by the power j k.
void turn_eights() {
    [[unroll]] for (uint e = 0u; e < elements; ++e)
        if (e % 8u != 0u) value[e] = times(value[e], roots.values[butterfly(e / 8u) * (e % 8u)]);
}
void turn_others() {
    [[unroll]] for (uint e = 0u; e < elements; ++e)
        if (e % kOther != 0u)
            value[e] = times(value[e], roots.values[butterfly(e / kOther) * (e % kOther)]);
}

void transform_lines(bool along_x) {
    step_of_eight();
    turn_eights();
    write_eights(along_x);
    barrier();
    read_others(along_x);
    step_of_other();
}
void transform_back(bool along_x) {
    step_of_other();
    turn_others();
    write_others(along_x);
    barrier();
    read_eights(along_x);
    step_of_eight();
}

// Of values as `place_of_eight` has them along y, to those as `place_of_other` has them along x.
void transform_tile() {
    transform_lines(false);
    write_others(false);
    barrier();
    read_eights(true);
    transform_lines(true);
}

// The opposite. With real and imaginary parts swapped before and after it is the inverse, unscaled.
void transform_tile_back() {
    transform_back(true);
    write_eights(true);
    barrier();
    read_others(false);
    transform_back(false);
}

// Spectra lie in the order of what a group's invocations keep.
uint spectrum_place(uint slice, uint element) {
    return (slice * elements + element) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
}
