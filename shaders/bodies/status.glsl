// `BodiesStatus` of passes/bodies/bodies.hpp, member by member; positive numbers as their bits, whose
// order is that of the numbers.
#ifndef BODIES_STATUS
#define BODIES_STATUS
struct BodiesStatus {
    uint pairs;
    uint lost_pairs;
    uint contacts;
    uint points;
    uint reset;
    uint coincident;
    uint batches;
    uint tail;
    uint deepest;
    uint residual;
    uint asleep;
    uint full_batch;
    uint rebuilt;
    uint uncolored;
};
#endif
