#ifndef DISTANCE_ROW_COUNTER
#define DISTANCE_ROW_COUNTER
// Counts the texels since the last object, and their square without a product:
// d^2 = (d - 1)^2 + (2d - 1).

struct RowCounter {
    uint distance_so_far;
    uint square;
};

// Where a sweep begins. Not 0, which would make the outside an object.
RowCounter far_from_objects(uint far) {
    return RowCounter(far, far * far);
}
RowCounter step_to(RowCounter counter, bool object, uint far) {
    if (object) return RowCounter(0u, 0u);
    if (counter.distance_so_far == far) return counter;
    uint next = counter.distance_so_far + 1u;
    return RowCounter(next, counter.square + 2u * next - 1u);
}

#endif
