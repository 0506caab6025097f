#version 460
// Of voxels that block something, by how open rays find them: how many there are, and how open other ways
// find them. Sums are of whole numbers, so that their order does not matter.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;

const uint kBins = 32u;
const uint kWays = 3u;

uniform sampler3D opacity; //! doc which voxels count
uniform sampler3D rays;    //! doc how open each is, 0 to 1
uniform sampler3D mips;    //! doc by another way
uniform sampler3D n_buffer; //! doc by another way
uniform sampler3D cones;   //! doc by another way
// 32 bins of four: voxels, and units of each way; then squares of errors of each way; then voxels.
buffer Sums { uint values[]; } sums; //! doc of backpack_means.comp

void add(uint way, uint bin, float truth, float found, float units) {
    atomicAdd(sums.values[4u * bin + 1u + way], uint(found * units + 0.5));
    float off = found - truth;
    atomicAdd(sums.values[4u * kBins + way], uint(off * off * units + 0.5));
}

void main() {
    ivec3 voxel = ivec3(gl_GlobalInvocationID);
    ivec3 size = textureSize(rays, 0);
    if (any(greaterThanEqual(voxel, size)) || texelFetch(opacity, voxel, 0).r <= 0.0) return;
    // For 1, so that all voxels together fit.
    float units = min(4294967295.0 / (float(size.x) * float(size.y) * float(size.z)), 65536.0);
    float truth = clamp(texelFetch(rays, voxel, 0).r, 0.0, 1.0);
    uint bin = min(uint(truth * float(kBins)), kBins - 1u);
    atomicAdd(sums.values[4u * bin], 1u);
    atomicAdd(sums.values[4u * kBins + kWays], 1u);
    add(0u, bin, truth, texelFetch(mips, voxel, 0).r, units);
    add(1u, bin, truth, texelFetch(n_buffer, voxel, 0).r, units);
    add(2u, bin, truth, texelFetch(cones, voxel, 0).r, units);
}
