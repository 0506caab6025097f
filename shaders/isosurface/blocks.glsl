// Blocks of 32 x 8 x 4 points: a group has one, and each of its invocations a column of four.
#ifndef ISOSURFACE_BLOCKS
#define ISOSURFACE_BLOCKS

const ivec3 kBlock = ivec3(32, 8, 4);
const uint kGroup = 256u;
const uint kColumn = 4u;

ivec3 block_grid(ivec3 points) {
    return (points + kBlock - 1) / kBlock;
}

uint block_number(ivec3 block, ivec3 points) {
    ivec3 grid = block_grid(points);
    return uint((block.z * grid.y + block.y) * grid.x + block.x);
}

ivec3 block_of(uint number, ivec3 points) {
    ivec3 grid = block_grid(points);
    int rest = int(number) / grid.x;
    return ivec3(int(number) % grid.x, rest % grid.y, rest / grid.y);
}

// A point of a block, by its number there.
ivec3 within(uint number) {
    return ivec3(number & 31u, number >> 5 & 7u, number >> 8);
}

// The first point of an invocation.
ivec3 column() {
    uint lane = gl_LocalInvocationIndex;
    return ivec3(lane & 31u, lane >> 5, 0);
}

#endif
