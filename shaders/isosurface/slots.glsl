// Where a vertex is, whoever needs it: the blocks that the surface goes through have slots, and each
// point of such a block a word.
#ifndef ISOSURFACE_SLOTS
#define ISOSURFACE_SLOTS

// Its first vertex among those of the block, 12 bits; the edges or quads that it owns, 3; the corners
// of its cell that are inside, 8; the faces that join them, 6.
struct PointWord {
    uint first;
    uint edges;
    uint inside;
    uint joined;
};

const uint kBlockPoints = 1024u;

uint packed_word(PointWord word) {
    return word.first | word.edges << 12 | word.inside << 15 | word.joined << 23;
}

PointWord unpacked_word(uint bits) {
    return PointWord(bits & 0xfffu, bits >> 12 & 7u, bits >> 15 & 0xffu, bits >> 23 & 0x3fu);
}

// A surface goes through few points of a block. Their numbers within it are listed, in any order, so
// that the group's invocations work side by side on what there is.
shared uint listed[kBlockPoints];
shared uint listed_count;

// Every invocation, before `list_point` and a barrier.
void begin_list() {
    if (gl_LocalInvocationIndex == 0u) listed_count = 0u;
    barrier();
}

void list_point(uint entry) {
    listed[atomicAdd(listed_count, 1u)] = entry;
}

// The sum of what lies before each of 256 invocations of a group.
shared uint scanned[256];

uint exclusive_scan(uint value) {
    uint lane = gl_LocalInvocationIndex;
    scanned[lane] = value;
    barrier();
    for (uint reach = 1u; reach < 256u; reach <<= 1) {
        uint before = lane >= reach ? scanned[lane - reach] : 0u;
        barrier();
        scanned[lane] += before;
        barrier();
    }
    return scanned[lane] - value;
}

#endif
