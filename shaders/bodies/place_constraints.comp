#version 460
// Puts each constraint where its cell begins and its rank says: they are then sorted by cell, in any order
// within one.

layout(local_size_x = 64) in;

#include "invocation.glsl"

readonly buffer Tally { uint words[]; } tally;
readonly buffer Unsorted { uint values[]; } unsorted; // the cell of a constraint
readonly buffer Ranks { uint values[]; } ranks;
readonly buffer Ends { uvec2 values[]; } ends;
readonly buffer Starts { uint values[]; } starts; // of a cell
writeonly buffer Keys { uint values[]; } keys;
writeonly buffer Order { uint values[]; } order;
writeonly buffer PlacedEnds { uvec2 values[]; } placed_ends; // so that nobody looks for them through `order`

void main() {
    uint c = invocation_index();
    if (c >= tally.words[1]) return;
    uint cell = unsorted.values[c];
    uint at = starts.values[cell] + ranks.values[c];
    keys.values[at] = cell;
    order.values[at] = c;
    placed_ends.values[at] = ends.values[c];
}
