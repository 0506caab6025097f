#version 460
// White noise on a rank's part: each cell of the whole field has its own number.
#include "hash.glsl"

layout(local_size_x = 64) in;
#include "invocation.glsl"

writeonly buffer Noise { float list[]; } noise; //! doc a number of each cell, x fastest

uniform Params {
    ivec2 first; //! doc first cell of the part
    ivec2 size;  //! doc cells of the part
    int seed;    //! default 1, doc another number makes other noise
} params;

void main() {
    uint i = invocation_index();
    if (i >= uint(noise.list.length())) return;
    ivec2 cell = params.first + ivec2(int(i) % params.size.x, int(i) / params.size.x);
    noise.list[i] = 2.0 * random_numbers(uint(cell.x), uint(cell.y), uint(params.seed)).x - 1.0;
}
