#version 460
// The other way round from mpi/pack_array: writes cells into boxes of an array, and leaves the rest.
layout(local_size_x = 64) in;

#include "boxes.glsl"
#include "invocation.glsl"

readonly buffer Packed { uint words[]; } packed;
writeonly buffer Result { uint words[]; } result;

#include "array_params.glsl"

void main() {
    uint index = invocation_index();
    if (index < params.all_words) result.words[word_of(index)] = packed.words[index];
}
