#ifndef DISTANCE_EXACT_DENSE
#define DISTANCE_EXACT_DENSE
// Where a group of columns of a picture has dense objects. The kernel has the buffer `marks`,
// params.size, kGroup and kLines.

shared uint marked[256]; // by window of 64 rows: its marks
shared uint sparse;

// Whether each window of 64 rows has several marks: the lines' texels are mostly far less than 128
// rows away from an object then.
bool has_dense_lines() {
    const uint least = 3u;
    int own = int(gl_LocalInvocationIndex);
    int strip = int(gl_WorkGroupID.x) * kLines / 32;
    int windows = params.size.y / kWindowRows;
    for (int window = own; window < windows; window += kGroup)
        marked[window] = 0u;
    if (own == 0) sparse = windows == 0 ? 1u : 0u;
    barrier();
    const int parts = 8;
    for (int item = own; item < windows * parts; item += kGroup) {
        int window = item % windows;
        uint found = 0u;
        for (int i = 0; i < kMarksOfWindow / parts; ++i) {
            int pair = window * kMarksOfWindow + item / windows * (kMarksOfWindow / parts) + i;
            found += marks.words[place_of_mark(strip / 32, pair, params.size.y)] >> (strip & 31) & 1u;
        }
        if (found != 0u) atomicAdd(marked[window], found);
    }
    barrier();
    for (int window = own; window < windows; window += kGroup)
        if (marked[window] < least) atomicOr(sparse, 1u);
    barrier();
    return sparse == 0u;
}

#endif
