#version 460
// Writes the cells of some boxes of an array into a buffer, box by box.
layout(local_size_x = 64) in;

#include "boxes.glsl"
#include "invocation.glsl"

readonly buffer Source { uint words[]; } source;
writeonly buffer Packed { uint words[]; } packed;

#include "array_params.glsl"

void main() {
    uint index = invocation_index();
    if (index < params.all_words) packed.words[index] = source.words[word_of(index)];
}
