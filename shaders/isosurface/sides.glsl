// On which sides of a surface the points of a block are: a byte each for all of its points, those of
// its first layer along x, of that along y, and of both. Of a byte, two bits are for all layers along
// z, and the next two for the first one alone.
#ifndef ISOSURFACE_SIDES
#define ISOSURFACE_SIDES

const uint kSomeInside = 1u;
const uint kSomeOutside = 2u;

const uint kFirstX = 8u; // shifts
const uint kFirstY = 16u;
const uint kFirstZ = 2u;

const int kStack = 4; // blocks along z whose sides a group finds; as find_by_blocks

#endif
