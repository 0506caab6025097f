// What the iterations of an alignment share.
#ifndef MAPPING_ALIGNMENT
#define MAPPING_ALIGNMENT

struct Alignment {
    vec4 rows[3];       // from the camera to the reference camera
    uint arrived;       // groups of this iteration that are done
    uint iterations;    // that have run
    uint unconstrained; // directions, of 6, that nothing holds
    uint pairs;         // of points and surfaces
    uint looks;         // pairs of brightness
    float residual;     // weighted mean square of distances, square metres
    float grey_residual; // mean square of differences of brightness
};

// Sums of an iteration: 21 of the upper triangle of J^T J, 6 of J^T r, weighted squares, weights, pairs,
// squares of brightness, their number.
const uint kSums = 32u;
const uint kRight = 21u;
const uint kSquares = 27u;
const uint kWeights = 28u;
const uint kPairs = 29u;
const uint kGreySquares = 30u;
const uint kLooks = 31u;

// Where an iteration's group counts are: 256 bytes apart, which suits all devices' bindings.
const uint kCountStride = 64u;

#endif
