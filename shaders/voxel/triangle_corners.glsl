// The corners of a triangle in 1/256 voxel.

struct Corners {
    ivec3 a;
    ivec3 b;
    ivec3 c;
};
