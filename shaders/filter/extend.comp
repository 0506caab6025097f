#version 460
// Arrays with what filters read beyond their border.

layout(local_size_x = 256) in;
#include "invocation.glsl"
#include "indices.glsl"

readonly buffer Source { float values[]; } source;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uvec4 size;
    uvec4 result_size;
    ivec4 before; // numbers in front of the array's own
    uint border;
    uint count; // of the result
} params;

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    uint each = count_of(params.result_size);
    ivec4 place = ivec4(place_of(index % each, params.result_size)) - params.before;
    uint from = index_read(params.border, place, params.size);
    uint first = index / each * count_of(params.size);
    result.values[index] = from == kNowhere ? 0.0 : source.values[first + from];
}
