#version 460
// Distance along the row to the nearest object on the left, or with that on both sides.
//! variants BACKWARD=0,1 SQUARED=0,1

layout(local_size_x = 64) in;

#include "row_counter.glsl"

uniform usampler2D seed;
#if BACKWARD
uniform usampler2D forward;
#endif
uniform writeonly uimage2D rows; // SQUARED: squares

uniform Params {
    uint far; // distances are at most this
} params;

void main() {
    ivec2 size = imageSize(rows);
    int y = int(gl_GlobalInvocationID.x);
    if (y >= size.y) return;
    RowCounter counter = far_from_objects(params.far);
    for (int i = 0; i < size.x; ++i) {
#if BACKWARD
        ivec2 texel = ivec2(size.x - 1 - i, y);
#else
        ivec2 texel = ivec2(i, y);
#endif
        counter = step_to(counter, texelFetch(seed, texel, 0).r != 0u, params.far);
        uint result = SQUARED != 0 ? counter.square : counter.distance_so_far;
#if BACKWARD
        result = min(result, texelFetch(forward, texel, 0).r);
#endif
        imageStore(rows, texel, uvec4(result));
    }
}
