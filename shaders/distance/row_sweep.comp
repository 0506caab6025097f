#version 460
// Distance along the row to the nearest object on the left, or with that on both sides.
//! variants BACKWARD=0,1

layout(local_size_x = 64) in;

uniform usampler2D seed;
#if BACKWARD
uniform usampler2D forward;
#endif
uniform writeonly uimage2D rows;

uniform Params {
    uint far; // distances are at most this
} params;

void main() {
    ivec2 size = imageSize(rows);
    int y = int(gl_GlobalInvocationID.x);
    if (y >= size.y) return;
    // Not 0, which would make the outside an object.
    uint distance_so_far = params.far;
    for (int i = 0; i < size.x; ++i) {
#if BACKWARD
        ivec2 texel = ivec2(size.x - 1 - i, y);
#else
        ivec2 texel = ivec2(i, y);
#endif
        bool object = texelFetch(seed, texel, 0).r != 0u;
        distance_so_far = object ? 0u : min(params.far - 1u, distance_so_far) + 1u;
        uint result = distance_so_far;
#if BACKWARD
        result = min(result, texelFetch(forward, texel, 0).r);
#endif
        imageStore(rows, texel, uvec4(result));
    }
}
