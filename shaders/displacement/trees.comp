#version 460
// The quad trees of all patches at their finest level, to be kept. A group a patch.

layout(local_size_x = 64) in;

#define STORE_scratch 1
#include "tree.glsl"
#include "invocation.glsl"

readonly buffer Boxes { vec4 values[]; } boxes;

uniform Params {
    uint count;
    uint level;
    float scale;
    uint node_room; // words, of a tree
} params;

void main() {
    uint i = group_index();
    if (i >= params.count) return;
    tree_at = i * params.node_room;
    PatchBox box = PatchBox(boxes.values[2u * i].xyz, boxes.values[2u * i + 1u].xyz);
    build_tree(patches.elements[i], steps_of(box), params.level, params.scale);
}
