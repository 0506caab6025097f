#version 460
// Lists the bricks of some boxes that the map has, for the ranks that get them.
layout(local_size_x = 64) in;

#include "border.glsl"
#include "boxes.glsl"
#include "invocation.glsl"
#include "sparse/map.glsl"

uniform Params {
    uint boxes;
    uint bricks; // of all boxes
    uint peers;
} params;

buffer List { uint words[]; } list;
buffer Status { // BorderStatus in passes/mpi/bricks.hpp
    uint left_out;
    uint most;
    uint places;
} status;

void main() {
    uint index = invocation_index();
    if (index >= params.bricks) return;
    uint number = brick_number(texel_in_boxes(index, params.boxes));
    if (find_brick(number) == kNoBrick) return;
    uint peer = peer_of_brick(index, params.peers);
    uint block = block_of(peer);
    uint at = atomicAdd(list.words[block], 1u);
    if (at < peers.list[peer].y) {
        list.words[block + 1u + at] = number;
        return;
    }
    atomicAdd(status.left_out, 1u);
    atomicMax(status.most, at + 1u);
    status.places = peers.list[peer].y;
}
