#version 460
// Whether the tree of boxes that there is will do with new boxes: few bodies have moved far, and all
// are in it.

layout(local_size_x = 1) in;

#include "status.glsl"

readonly buffer Moved { uint words[]; } moved;
writeonly buffer Keep { uint word; } keep;
buffer Status { BodiesStatus elements[]; } status;

uniform Params {
    uint most; // bodies that may have moved far
} params;

void main() {
    bool keeps = moved.words[0] <= params.most && moved.words[1] == 0u;
    keep.word = keeps ? 1u : 0u;
    if (!keeps) status.elements[0].rebuilt += 1u;
}
