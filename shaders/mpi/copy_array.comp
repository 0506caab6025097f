#version 460
// Copies boxes of words from one buffer to another, and leaves the rest. A box is rows of the same
// length. UNIT: words that an invocation copies.
//! variants UNIT=1,2,4
layout(local_size_x = 256) in;

#include "divide.glsl"
#include "invocation.glsl"

#if UNIT == 4
#define Words uvec4
#elif UNIT == 2
#define Words uvec2
#else
#define Words uint
#endif

// Counted in units.
struct Rows {
    uvec4 size;     // of a row; rows of a slice; units of all boxes before it
    uvec4 source;   // where the first row begins, units from row to row and from slice to slice
    uvec4 result;   // the same
    uvec4 divisors; // the size of a row, and the rows of a slice
};
readonly buffer Boxes { Rows list[]; } boxes;
readonly buffer Source { Words values[]; } source;
writeonly buffer Result { Words values[]; } result;

uniform Params {
    uint boxes;
    uint units; // of all boxes
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.units) return;
    uint low = 0u;
    uint high = params.boxes - 1u;
    while (low < high) { // the last box that begins at or before it
        uint middle = (low + high + 1u) / 2u;
        if (boxes.list[middle].size.z <= index) low = middle;
        else high = middle - 1u;
    }
    Rows box = boxes.list[low];
    uint at = index - box.size.z;
    uint row = divided_by(box.divisors.xy, at);
    uint slice = divided_by(box.divisors.zw, row);
    at -= row * box.size.x;
    row -= slice * box.size.y;
    result.values[at + box.result.x + row * box.result.y + slice * box.result.z] =
        source.values[at + box.source.x + row * box.source.y + slice * box.source.z];
}
