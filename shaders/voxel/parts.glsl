#ifndef VOXEL_PARTS
#define VOXEL_PARTS
// Large triangles are cut into parts that the groups of a second kernel take. A triangle that finds
// no room in the list of parts goes whole into a list that has room for all triangles.
//
// The buffer `parts` (VoxelPartsStatus in passes/voxel/voxelize.hpp): groups of that kernel, 1, 1,
// number of parts, number of whole triangles, the parts that all large triangles have, 64 bits with
// the low ones first, and how many triangles have asked for parts. The buffer `part_list`: `room` pairs of
// triangle and part; then triangles.

const uint kGroupsOfParts = 0u;
const uint kPartCount = 3u;
const uint kWholeCount = 4u;
const uint kPartsNeeded = 5u;
const uint kPartTakers = 7u;
const uint kMaxGroups = 8192u;       // they take the parts in turn
const uint kNoTriangle = 0xffffffffu; // in place of a part that there is no room for

#endif
