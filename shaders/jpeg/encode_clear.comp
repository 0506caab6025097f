#version 460
// Zeros where bits will be put together.

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer Words { uint count; } words;
writeonly buffer Stream { uint words[]; } stream;

void main() {
    uint word = invocation_index();
    if (word < words.count) stream.words[word] = 0u;
}
