#version 460
// Lines of real numbers into lines of another pitch and step, with zeros between and behind them: a
// step of 2 is that of complex numbers, whose imaginary parts are zero or not wanted.

layout(local_size_x = 256) in;
#include "invocation.glsl"

readonly buffer Source { float values[]; } source;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uint count;  // floats of the result
    uint line;   // numbers of a line
    uint source_pitch;
    uint source_step;
    uint result_pitch;
    uint result_step;
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uint at = index % params.result_pitch;
    uint k = at / params.result_step;
    bool is_number = at % params.result_step == 0u && k < params.line;
    uint from = index / params.result_pitch * params.source_pitch + k * params.source_step;
    result.values[index] = is_number ? source.values[from] : 0.0;
}
