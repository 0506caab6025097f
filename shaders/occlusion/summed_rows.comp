#version 460
// Sums of a volume's opacities along x, of whole numbers: each of a voxel and of all before it. A group
// has 64 rows, which it takes 64 columns at a time.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "opacities.glsl"

uniform Params {
    ivec3 dims;
    ivec3 sum_dims;
    int pitch;  // of a row of sums; what is beyond them goes on with the last one, or is not read
    int margin; // voxels before the first one of the volume
    float unit; // for an opacity of 1
} params;

uniform sampler3D opacity;
writeonly buffer Result { uint values[]; } result;

const int kSide = 64;
shared uint tile[kSide][kSide + 1];

// From one row to the next.
void step_row(inout ivec3 voxel) {
    if (++voxel.y < params.sum_dims.y) return;
    voxel.y = 0;
    ++voxel.z;
}

void main() {
    int own = int(gl_LocalInvocationIndex);
    int first = int(group_index()) * kSide;
    int rows = min(params.sum_dims.y * params.sum_dims.z - first, kSide);
    ivec3 begin = ivec3(own, first % params.sum_dims.y, first / params.sum_dims.y);
    uint sum = 0u;
    for (; begin.x < params.pitch + own; begin.x += kSide) {
        ivec3 voxel = begin;
        for (int i = 0; i < rows; ++i, step_row(voxel)) {
            float number = opacity_at(opacity, params.dims, voxel - params.margin);
            tile[i][own] = uint(number * params.unit + 0.5);
        }
        barrier();
        for (int i = 0; i < kSide; ++i) {
            sum += tile[own][i];
            tile[own][i] = sum;
        }
        barrier();
        for (int i = 0; i < rows; ++i)
            if (begin.x < params.pitch)
                result.values[(first + i) * params.pitch + begin.x] = tile[i][own];
        barrier();
    }
}
