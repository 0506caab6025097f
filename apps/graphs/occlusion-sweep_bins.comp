#version 460
// How many voxels that block something have each openness, in 65,536 bins, and a last one that stays empty.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;

uniform sampler3D opacity; //! doc which voxels count
uniform sampler3D open;    //! doc how open each is, 0 to 1
buffer Bins { uint counts[]; } bins; //! doc 65,537 words

void main() {
    ivec3 voxel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(voxel, textureSize(open, 0))) || texelFetch(opacity, voxel, 0).r <= 0.0) return;
    float share = clamp(texelFetch(open, voxel, 0).r, 0.0, 1.0);
    atomicAdd(bins.counts[min(uint(share * 65536.0), 65535u)], 1u);
}
