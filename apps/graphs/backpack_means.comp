#version 460
// Means of the bins of backpack_sums.comp, NaN where a bin is all but empty, and errors of all voxels.
layout(local_size_x = 32) in;

const uint kBins = 32u;

uniform sampler3D rays; //! doc for its size
readonly buffer Sums { uint values[]; } sums; //! doc of backpack_sums.comp
writeonly buffer Ideal { float values[]; } ideal; //! doc how open rays find a bin
writeonly buffer Mips { float values[]; } mips; //! doc how open mips find it
writeonly buffer NBuffer { float values[]; } n_buffer; //! doc how open N-buffers find it
writeonly buffer Cones { float values[]; } cones; //! doc how open cones find it
writeonly buffer Errors { float values[]; } errors; //! doc root mean squares of mips, N-buffers, cones

void main() {
    uint bin = gl_GlobalInvocationID.x;
    if (bin >= kBins) return;
    vec3 size = vec3(textureSize(rays, 0));
    float units = min(4294967295.0 / (size.x * size.y * size.z), 65536.0);
    ideal.values[bin] = (float(bin) + 0.5) / float(kBins);
    uint count = sums.values[4u * bin];
    float share = count < 8u ? uintBitsToFloat(0x7fc00000u) : 1.0 / (float(count) * units);
    mips.values[bin] = share * float(sums.values[4u * bin + 1u]);
    n_buffer.values[bin] = share * float(sums.values[4u * bin + 2u]);
    cones.values[bin] = share * float(sums.values[4u * bin + 3u]);
    float all = max(float(sums.values[4u * kBins + 3u]), 1.0);
    if (bin < 3u) errors.values[bin] = sqrt(float(sums.values[4u * kBins + bin]) / (units * all));
}
