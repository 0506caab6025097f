// How much dye cells have that are one after the other in fields, known when dye is written.
#include "sparse/walk.glsl"

const uint kRun = 32u; // cells
struct Run {
    uint present; // a bit a cell: has more than the least dye
    float mass;   // means of three colors, summed up
};
const uint kRunsABrick = kGroupsABrick * (kWalkGroup / kRun);
