// The part of a spectrum that a rank has: the output "box" of mpi/fft_forward, which a kernel binds as
//
//   readonly buffer Box { SpectrumBox value; } box;
#ifndef MPI_SPECTRUM
#define MPI_SPECTRUM

struct SpectrumBox {
    uvec4 first; // index of its first number in the whole spectrum, along x, y, z
    uvec4 size;  // numbers along x, y, z; 0 where the rank has none
    uvec4 cells; // of the whole field
};

// A rank without any numbers has a buffer of one all the same.
bool is_in_spectrum(SpectrumBox box, uint index) {
    return index < box.size.x * box.size.y * box.size.z;
}

// The frequency of number `index` of the part, in periods over the field, from -cells / 2 to cells / 2.
ivec3 frequency_in(SpectrumBox box, uint index) {
    uint row = index / box.size.x;
    uvec3 at = box.first.xyz + uvec3(index % box.size.x, row % box.size.y, row / box.size.y);
    return ivec3(at) - ivec3(mix(uvec3(0u), box.cells.xyz, greaterThan(2u * at, box.cells.xyz)));
}
#endif
