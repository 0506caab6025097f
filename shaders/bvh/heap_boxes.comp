#version 460
// The boxes of one level of a heap from those of the level below.

layout(local_size_x = 256) in;

#include "invocation.glsl"

uniform Params {
    uint level;
} params;

#include "heap_box.glsl"

void main() {
    uint i = invocation_index();
    begin_counts();
    if (i < 1u << params.level) count_node(make_box((1u << params.level) + i));
    end_counts();
}
