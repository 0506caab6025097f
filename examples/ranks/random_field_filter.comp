#version 460
// Makes shorter waves weaker, on the numbers of a spectrum that a rank has.
#include "mpi/spectrum.glsl"

layout(local_size_x = 64) in;
#include "invocation.glsl"

readonly buffer Noise { vec2 list[]; } noise;        //! doc the rank's part of a spectrum
readonly buffer Box { SpectrumBox value; } box;      //! doc which part it is
writeonly buffer Spectrum { vec2 list[]; } spectrum; //! doc the same part of the result

uniform Params {
    float slope; //! range 0..4, default 1.7, doc how much weaker shorter waves are
} params;

void main() {
    uint i = invocation_index();
    if (i >= uint(noise.list.length())) return;
    float strength = 0.0;
    if (is_in_spectrum(box.value, i)) {
        vec2 cells = vec2(box.value.cells.xy);
        vec2 wave = vec2(frequency_in(box.value, i).xy) * cells.y / cells; // periods by the height
        float k = length(wave);
        if (k > 0.0) strength = pow(k, -params.slope);
    }
    spectrum.list[i] = strength * noise.list[i];
}
