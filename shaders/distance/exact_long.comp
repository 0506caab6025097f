#version 460
// Joins the hulls of a picture's columns that groups of exact_hulls have found, each of a part of
// the column.
layout(local_size_x = 256) in;
layout(constant_id = 0) const int kWords = 512; // of a column: 16,384 places

#include "exact_line.glsl"

readonly buffer Columns { uint pairs[]; } columns; // as exact_rows writes them
readonly buffer Dense { uint strips[]; } dense;    // as exact_hulls writes them
buffer Hulls { uint words[]; } hulls;              // by word, x
writeonly buffer Filled { uint words[]; } filled;  // by 32 words, x: a bit for each that has corners
writeonly buffer Begins { uint words[]; } begins;  // by word, x: as exact_hulls writes them
writeonly buffer Firsts { uint places[]; } firsts; // by word, x

uniform Params {
    ivec2 size;
    int joined; // words that already make one hull
} params;

layout(constant_id = 1) const int kLines = 8;
const int kWorkers = 256 / kLines; // of a line

// By word, then by line.
shared uint hull[kWords * kLines];
shared uint begin[kWords * kLines];
shared uint filled_of[(kWords + 31) / 32 * kLines]; // by 32 words: a bit for each that has corners

int line() {
    return int(gl_LocalInvocationIndex) % kLines;
}
int worker() {
    return int(gl_LocalInvocationIndex) / kLines;
}
int line_x() {
    return int(gl_WorkGroupID.x) * kLines + line();
}
uint place_of_hull(int word) {
    return uint(word * params.size.x + line_x());
}

ivec2 point(int place) {
    uint pair = columns.pairs[uint(place * words_of_row(params.size.x) + (line_x() >> 1))];
    int dx = x_offset(half_of(pair, line_x()));
    return ivec2(place, dx * dx + place * place);
}
uint corners(int word) {
    return hull[word * kLines + line()];
}
uint filled_words(int block) {
    return filled_of[block * kLines + line()];
}
void set_corners(int word, uint bits) {
    hull[word * kLines + line()] = bits;
    if (bits == 0u) atomicAnd(filled_of[(word >> 5) * kLines + line()], ~(1u << (word & 31)));
}
void set_first(int word, int place) {
    firsts.places[place_of_hull(word)] = uint(place);
}
void add_begin(int place) {
    atomicOr(begin[(place >> 5) * kLines + line()], 1u << (place & 31));
}
#include "exact_joins.glsl"
#include "exact_begins.glsl"

void main() {
    if (dense.strips[gl_WorkGroupID.x * kLines / 32] != 0u) return; // the whole group
    bool has_line = line_x() < params.size.x;
    int words = (params.size.y + 31) / 32;
    int blocks = (words + 31) / 32;
    for (int block = worker(); block < blocks; block += kWorkers)
        filled_of[block * kLines + line()] = 0u;
    barrier();
    for (int word = worker(); word < words; word += kWorkers) {
        uint found = has_line ? hulls.words[place_of_hull(word)] : 0u;
        hull[word * kLines + line()] = found;
        begin[word * kLines + line()] = 0u;
        if (found != 0u)
            atomicOr(filled_of[(word >> 5) * kLines + line()], 1u << (word & 31));
    }
    for (int span = params.joined; span < words; span *= 2) {
        barrier();
        for (int low = worker() * 2 * span; low + span < words; low += kWorkers * 2 * span)
            join(low, low + span, min(low + 2 * span, words));
    }
    barrier();
    if (has_line)
        for (int word = worker(); word < words; word += kWorkers)
            hulls.words[place_of_hull(word)] = find_begins(word, words, params.size.y);
    barrier();
    if (has_line)
        for (int word = worker(); word < words; word += kWorkers) {
            set_corners(word, hulls.words[place_of_hull(word)]);
            begins.words[place_of_hull(word)] = begin[word * kLines + line()];
        }
    barrier();
    if (!has_line) return;
    for (int block = worker(); block < blocks; block += kWorkers)
        filled.words[uint(block * params.size.x + line_x())] = filled_words(block);
}
