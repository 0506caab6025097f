// The window of a convolution: the numbers that the weights meet. Weights are counted as the window's
// numbers lie, so those of a kernel that is turned come in the opposite order.
#include "indices.glsl"

layout(constant_id = 1) const uint kernel_x = 1u;
layout(constant_id = 2) const uint kernel_y = 1u;
layout(constant_id = 3) const uint kernel_z = 1u;
layout(constant_id = 4) const uint kernel_w = 1u;

const uint kTaps = kernel_x * kernel_y * kernel_z * kernel_w;

// One by one: compilers make invalid code of vectors of such constants.
uvec4 kernel_size() {
    uvec4 size;
    size.x = kernel_x;
    size.y = kernel_y;
    size.z = kernel_z;
    size.w = kernel_w;
    return size;
}

struct Window {
    ivec4 first;   // place of its first number
    uint source;   // where the array begins
    uint weights;  // where the kernel begins
    bool is_whole; // no number lies beyond the border
};

// Of result `index`: those of an array's kernels follow one another.
Window window_of(uint index, uvec4 size, uvec4 result_size, ivec4 before, uint filters) {
    uint each = count_of(result_size);
    uint which = index / each;
    Window own;
    own.first = ivec4(place_of(index % each, result_size)) - before;
    own.source = which / filters * count_of(size);
    own.weights = which % filters * kTaps;
    own.is_whole = all(greaterThanEqual(own.first, ivec4(0))) &&
                   all(lessThanEqual(own.first + ivec4(kernel_size()), ivec4(size)));
    return own;
}

// Where the number is that weight `tap` meets; kNowhere: zero is met.
uint number_index(Window own, uvec4 size, uint tap, uint border) {
    ivec4 place = own.first + ivec4(place_of(tap, kernel_size()));
    if (own.is_whole) return own.source + index_of(uvec4(place), size);
    uint index = index_read(border, place, size);
    return index == kNowhere ? kNowhere : own.source + index;
}

uint weight_index(uint weights, uint tap, uint turned) {
    return weights + (turned != 0u ? kTaps - 1u - tap : tap);
}
