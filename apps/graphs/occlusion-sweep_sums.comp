#version 460
// Sums over all voxels that block something, for the error and the rank correlation of a method against a
// reference. Voxels of one bin have the same rank, the middle one of the bin. Sums are of whole numbers,
// so that their order does not matter.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;

uniform sampler3D opacity;   //! doc which voxels count
uniform sampler3D reference; //! doc how open each is
uniform sampler3D open;      //! doc the same by the method
readonly buffer ReferenceBefore { uint values[]; } reference_before; //! doc voxels in the bins before each
readonly buffer OpenBefore { uint values[]; } open_before;           //! doc the same by the method
// Voxels, squares of errors, squares of the ranks of both, products of ranks; two words each.
buffer Sums { uint words[]; } sums; //! doc ten words for occlusion-sweep_row.comp

const float kSumUnits = 65535.0; // of 1

void add(uint number, float value) {
    uint units = uint(value * kSumUnits + 0.5);
    uint before = atomicAdd(sums.words[2u * number], units);
    if (before + units < before) atomicAdd(sums.words[2u * number + 1u], 1u);
}

uint bin_of(float share) {
    return min(uint(clamp(share, 0.0, 1.0) * 65536.0), 65535u);
}

// -1 for the first of all voxels to 1 for the last.
float rank_of(uint before, uint before_next, uint all) {
    return (float(before) + float(before_next)) / float(all) - 1.0;
}

void main() {
    ivec3 voxel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(voxel, textureSize(open, 0))) || texelFetch(opacity, voxel, 0).r <= 0.0) return;
    float truth = texelFetch(reference, voxel, 0).r;
    float found = texelFetch(open, voxel, 0).r;
    uint all = reference_before.values[65536];
    uint bin = bin_of(truth);
    float rank = rank_of(reference_before.values[bin], reference_before.values[bin + 1u], all);
    bin = bin_of(found);
    float found_rank = rank_of(open_before.values[bin], open_before.values[bin + 1u], all);
    add(0u, 1.0);
    add(1u, 16.0 * (found - truth) * (found - truth));
    add(2u, rank * rank);
    add(3u, found_rank * found_rank);
    add(4u, 1.0 + rank * found_rank); // no negative numbers
}
