#ifndef DISTANCE_STATUS
#define DISTANCE_STATUS
// What a field's status says. STATUS_ACCESS: writeonly where a kernel writes all of it.

#ifndef STATUS_ACCESS
#define STATUS_ACCESS
#endif
STATUS_ACCESS buffer Status { // DistanceStatus in passes/distance/field.hpp
    uint objects;    // texels of the seed that are not 0
    uint background; // texels of the seed that are
    uint not_finite; // texels of the picture that were no numbers, or infinite
    uint passes;
    uint codes;
    uint row_passes; // of the passes
} status;

const uint kEmptySeed = 1u;
const uint kUnfinished = 2u;
const uint kFlattened = 4u;
const uint kFullSeed = 8u;

#endif
