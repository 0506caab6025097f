#version 460
// A row of an array.
layout(local_size_x = 64) in;
#include "invocation.glsl"

readonly buffer Source { float values[]; } source;
writeonly buffer Row { float values[]; } row;

uniform Params {
    uint wide; //! doc numbers of a row
    uint line; //! doc which row, from 0
} params;

void main() {
    uint x = invocation_index();
    if (x < params.wide) row.values[x] = source.values[params.line * params.wide + x];
}
