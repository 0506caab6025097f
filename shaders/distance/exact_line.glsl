#ifndef DISTANCE_EXACT_LINE
#define DISTANCE_EXACT_LINE
// Lines of an exact Euclidean distance transform: exact_hulls.comp says what they are.
//
// A place of a line stores where its site is, as its offset from the place: x in the lower 16 bits,
// y in the upper ones. kNowhere is farther than any site.

const uint kNowhere = 0x8000u;
const uint kUnreached = 0x7fffffffu; // as in passes/distance/field.hpp
const int kNoHeight = 1 << 30;       // of kNowhere; above that of any site

// Rows of 16-bit offsets begin with four words.
int words_of_row(int width) {
    return (width + 7) / 8 * 4;
}
int x_offset(uint site) {
    return bitfieldExtract(int(site), 0, 16);
}
int y_offset(uint site) {
    return int(site) >> 16;
}
// The half of a pair of 16-bit offsets that belongs to column x.
uint half_of(uint pair, int x) {
    return (x & 1) == 0 ? pair & 0xffffu : pair >> 16;
}

// Whether b lies on or above the line from a to c. Products reach 2^44, hence two words.
bool is_hidden(ivec2 a, ivec2 b, ivec2 c) {
    int high_before, low_before, high_after, low_after;
    imulExtended(b.y - a.y, c.x - b.x, high_before, low_before);
    imulExtended(c.y - b.y, b.x - a.x, high_after, low_after);
    return high_before > high_after ||
           (high_before == high_after && uint(low_before) >= uint(low_after));
}

// The same where products stay below 2^31: of at most 32 places of lines in 8192 columns.
bool is_hidden_near(ivec2 a, ivec2 b, ivec2 c) {
    return (b.y - a.y) * (c.x - b.x) >= (c.y - b.y) * (b.x - a.x);
}

// Bits of a word, one a place: 32, or the lower 16.
#ifndef WORD_PLACES
#define WORD_PLACES 32
#endif
const int kWordPlaces = WORD_PLACES;

int word_of(int place) {
    return place >> (kWordPlaces == 32 ? 5 : 4);
}
int bit_of(int place) {
    return place & (kWordPlaces - 1);
}
int first_of(int word, uint bits) {
    return word * kWordPlaces + findLSB(bits);
}
int last_of(int word, uint bits) {
    return word * kWordPlaces + findMSB(bits);
}
uint bits_below(int place) {
    return (1u << bit_of(place)) - 1u;
}
uint bits_above(int place) {
    return ~(0xffffffffu >> (31 - bit_of(place)));
}

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
