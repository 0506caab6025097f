#version 460
// What comes through spherical shells, each one voxel thick, around each voxel.

layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

#include "opacities.glsl"

layout(constant_id = 0) const uint kOwn = 0u; // 1: the voxel itself counts

const int kMostRadius = 16; // as in passes/occlusion/spheres.cpp

uniform Params {
    ivec3 dims;
    int radius;
} params;

uniform sampler3D opacity;
writeonly uniform image3D result;

void main() {
    ivec3 voxel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(voxel, params.dims))) return;
    float sums[kMostRadius + 1];
    float counts[kMostRadius + 1];
    for (int r = 0; r <= kMostRadius; ++r) {
        sums[r] = 0.0;
        counts[r] = 0.0;
    }
    int radius = min(params.radius, kMostRadius);
    for (int z = -radius; z <= radius; ++z)
        for (int y = -radius; y <= radius; ++y)
            for (int x = -radius; x <= radius; ++x) {
                // Squares of distances are whole, those of radii between shells are not: no ties.
                int shell = int(sqrt(float(x * x + y * y + z * z)) + 0.5);
                if (shell > radius) continue;
                sums[shell] += opacity_at(opacity, params.dims, voxel + ivec3(x, y, z));
                counts[shell] += 1.0;
            }
    float open = kOwn != 0u ? 1.0 - sums[0] : 1.0;
    for (int r = 1; r <= radius; ++r)
        open *= 1.0 - sums[r] / counts[r];
    imageStore(result, voxel, vec4(max(open, 0.0)));
}
