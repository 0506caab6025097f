#version 460
// Bricks that have a marked one within a reach of bricks along each axis.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "packed.glsl"

uniform Params {
    ivec3 source_dims; // bricks
    ivec3 dims;
    int before; // bricks that lie before the first one of the source
    int reach;
} params;

readonly buffer Source { uint values[]; } source;
writeonly buffer Result { uint values[]; } result;

bool any_within(ivec3 brick) {
    ivec3 low = max(brick - params.reach, ivec3(0));
    ivec3 high = min(brick + params.reach, params.source_dims - 1);
    for (int z = low.z; z <= high.z; ++z)
        for (int y = low.y; y <= high.y; ++y)
            for (int x = low.x; x <= high.x; ++x)
                if (source.values[brick_number(ivec3(x, y, z), params.source_dims)] != 0u)
                    return true;
    return false;
}

void main() {
    int index = int(invocation_index());
    ivec3 brick = ivec3(index % params.dims.x, index / params.dims.x % params.dims.y,
                        index / params.dims.x / params.dims.y);
    if (brick.z >= params.dims.z) return;
    result.values[index] = uint(any_within(brick - params.before));
}
