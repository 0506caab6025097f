#version 460
// Zeros where bits will be put together.

layout(local_size_x = 256) in;

#include "stream.glsl"
#include "invocation.glsl"

readonly buffer Extent { JpegExtent extent; } extent;
writeonly buffer Stream { uint words[]; } stream;

void main() {
    uint word = invocation_index();
    if (word < extent.extent.words) stream.words[word] = 0u;
}
