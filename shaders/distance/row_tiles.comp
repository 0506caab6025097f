#version 460
// Distance along the row, a section of it to each invocation. Sweeps begin a margin before the
// section, and write what lies within it: objects farther away than the clamp, which is not more
// than the margin and one, have no effect.
//! variants SQUARED=0,1

layout(local_size_x = 64) in;

#include "row_counter.glsl"

layout(constant_id = 0) const int kSpan = 64; // texels of a section

uniform usampler2D seed;
uniform writeonly uimage2D rows; // SQUARED: squares

uniform Params {
    uint far;   // distances are at most this: the clamp
    int margin; // texels
} params;

uint of(RowCounter counter) {
    return SQUARED != 0 ? counter.square : counter.distance_so_far;
}

void main() {
    ivec2 size = imageSize(rows);
    int y = int(gl_GlobalInvocationID.y);
    int left = int(gl_GlobalInvocationID.x) * kSpan;
    if (left >= size.x || y >= size.y) return;
    int right = min(left + kSpan, size.x);
    uint scratch[kSpan];

    RowCounter counter = far_from_objects(params.far);
    for (int x = max(left - params.margin, 0); x < right; ++x) {
        counter = step_to(counter, texelFetch(seed, ivec2(x, y), 0).r != 0u, params.far);
        if (x >= left) scratch[x - left] = of(counter);
    }
    counter = far_from_objects(params.far);
    for (int x = min(right + params.margin, size.x) - 1; x >= left; --x) {
        counter = step_to(counter, texelFetch(seed, ivec2(x, y), 0).r != 0u, params.far);
        if (x < right) imageStore(rows, ivec2(x, y), uvec4(min(of(counter), scratch[x - left])));
    }
}
