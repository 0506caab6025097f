#ifndef DISTANCE_EXACT_DENSE
#define DISTANCE_EXACT_DENSE
// Where a group of columns of a picture has dense objects. The kernel has the buffer `marks`,
// params.size, kGroup, kLines and kWindows, as many windows of 64 rows as a picture may have.

shared uint marked[kWindows]; // by window: its marks
shared uint full;             // windows that have enough of them

int windows_of_lines() {
    return params.size.y / kWindowRows;
}
void clear_marks() {
    for (int window = int(gl_LocalInvocationIndex); window < windows_of_lines(); window += kGroup)
        marked[window] = 0u;
    if (gl_LocalInvocationIndex == 0u) full = 0u;
}
// Between barriers.
void count_marks() {
    const uint least = 3u;
    const int parts = 8;
    int strip = int(gl_WorkGroupID.x) * kLines / 32;
    int windows = windows_of_lines();
    for (int item = int(gl_LocalInvocationIndex); item < windows * parts; item += kGroup) {
        int window = item % windows;
        uint found = 0u;
        for (int i = 0; i < kMarksOfWindow / parts; ++i) {
            int pair = window * kMarksOfWindow + item / windows * (kMarksOfWindow / parts) + i;
            found += marks.words[place_of_mark(strip / 32, pair, params.size.y)] >> (strip & 31) & 1u;
        }
        if (found == 0u) continue;
        uint before = atomicAdd(marked[window], found);
        if (before < least && before + found >= least) atomicAdd(full, 1u);
    }
}
// Whether each window of 64 rows has several marks: the lines' texels are mostly far less than 128
// rows away from an object then.
bool has_dense_lines() {
    return full != 0u && full == uint(windows_of_lines());
}

#endif
