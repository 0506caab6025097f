#ifndef DISTANCE_EXACT_MARKS
#define DISTANCE_EXACT_MARKS
// Where a picture's objects are dense. Marks have a bit for each 32 columns of two rows that hold an
// object; words are by 32 such bits, by row pair in its window of 32, by window.

const int kWindowRows = 64;
const int kMarksOfWindow = 32;

int mark_windows(int height) {
    return (height + kWindowRows - 1) / kWindowRows;
}
uint place_of_mark(int word, int pair, int height) {
    return uint((word * kMarksOfWindow + pair % kMarksOfWindow) * mark_windows(height) +
                pair / kMarksOfWindow);
}

#endif
