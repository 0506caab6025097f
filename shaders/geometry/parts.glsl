#ifndef GEOMETRY_PARTS
#define GEOMETRY_PARTS
// Large triangles are cut into blocks of pixels that the groups of a second kernel take. One that
// finds no room in the list goes whole into a list that has room for all triangles.
//
// The buffer `parts`: groups of that kernel (three words), number of parts, number of whole
// triangles, how many triangles have asked for parts. The buffer `part_list`: `room` pairs of triangle and
// block; then whole triangles.
// The buffer `clips`: groups of the kernel that clips (three words), number of triangles that must
// be clipped. The buffer `clip_list`: these.

const int kBlock = 32; // pixels, either way

const uint kPartGroups = 0u;
const uint kPartCount = 3u;
const uint kWholeCount = 4u;
const uint kPartTakers = 5u;
const uint kClipCount = 3u;
const uint kMaxGroups = 8192u;       // they take the parts in turn
const uint kNoTriangle = 0xffffffffu; // in place of a part that there is no room for

uint block_at(ivec2 block) {
    return uint(block.x) | uint(block.y) << 16;
}

ivec2 block_of(uint block) {
    return ivec2(block & 0xffffu, block >> 16);
}

#endif
