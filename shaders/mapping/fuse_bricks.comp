#version 460
// Brings a frame into a TSDF in bricks: all that have memory, as a dense one's voxels.

layout(local_size_x = 256) in;

#include "observed.glsl"
#include "sparse/walk.glsl"

readonly buffer Before { uvec2 voxels[]; } before;
writeonly buffer Result { uvec2 voxels[]; } result;

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell();
    if (!walked.exists) return;
    uvec2 voxel = is_kept(walked.word) ? before.voxels[walked.index] : uvec2(0u);
    result.voxels[walked.index] = after_frame(voxel, uvec3(walked.origin + walked.local));
}
