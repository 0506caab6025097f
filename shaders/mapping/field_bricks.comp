#version 460
// A TSDF in bricks as distances for isosurfaces; NaN where too few frames have looked.

layout(local_size_x = 256) in;

#include "sparse/walk.glsl"

readonly buffer Volume { uvec2 voxels[]; } volume;
writeonly buffer Result { float distances[]; } result;

uniform Params {
    float truncation;
    float least_weight;
} params;

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell();
    if (any(greaterThanEqual(walked.local, kBrick))) return;
    vec2 own = walked.exists ? unpackHalf2x16(volume.voxels[walked.index].x) : vec2(0.0);
    bool known = own.y > 0.0 && own.y >= params.least_weight;
    result.distances[walked.index] = known ? own.x * params.truncation : uintBitsToFloat(0x7fc00000u);
}
