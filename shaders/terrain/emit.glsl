// Leaves of a tree go to a list whose order within a group is that of its invocations. Include this
// below the layout of the group, which has kInvocations invocations. With ONE_GROUP one group
// builds the whole tree, and counts in shared memory.
#ifndef TERRAIN_EMIT
#define TERRAIN_EMIT

#include "tree.glsl"
#include "scan.glsl"

#ifdef ONE_GROUP
#define COUNTED writeonly
#else
#define COUNTED
#endif

writeonly buffer Keys { TreeKey values[]; } keys;
writeonly buffer Edges { uint values[]; } edges; // `coarser_by`
COUNTED buffer Status {
    uint count;   // leaves
    uint refused; // divisions for which there was no room
    uint resets;  // times that the tree began again, because it was broken
    uint broken;  // leaves beside which the tree had a hole or an overlap
    uint deepest; // level
    uint total;   // leaves that there will be at least, less the roots; while the tree grows
    uint mark;    // `reset` of the last time
} status;

#ifdef ONE_GROUP
shared uint leaves_to_come;
shared uint refusals;
#define LEAVES_TO_COME leaves_to_come
#define REFUSALS refusals
#else
#define LEAVES_TO_COME status.total
#define REFUSALS status.refused
#endif

// Room for what a division adds: three leaves. Refused where there is none.
bool reserve_division() {
    if (atomicAdd(LEAVES_TO_COME, 3u) + 3u + params.faces <= params.capacity) return true;
    atomicAdd(LEAVES_TO_COME, 0xfffffffdu);
    atomicAdd(REFUSALS, 1u);
    return false;
}

// What becomes of a node whose parent is divided.
const uint kGone = 0u;  // left out: it is hidden
const uint kLeaf = 1u;
const uint kInner = 2u; // divided

uint fate_of(Node node) {
    if (is_hidden(node)) {
        atomicAdd(LEAVES_TO_COME, 0xffffffffu);
        return kGone;
    }
    return is_divided(node) && reserve_division() ? kInner : kLeaf;
}

void write_leaf(uint at, Node node) {
    if (at >= params.capacity) return;
    keys.values[at] = key_of(node);
    edges.values[at] = coarser_by(node);
}

#endif
