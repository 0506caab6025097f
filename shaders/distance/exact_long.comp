#version 460
// Joins the hulls of a picture's columns that groups of exact_hulls have found, each of a part of
// the column.
layout(local_size_x = 256) in;

#include "exact_line.glsl"

readonly buffer Columns { uint pairs[]; } columns; // as exact_rows writes them
buffer Hulls { uint words[]; } hulls;              // by word, x
writeonly buffer Filled { uint words[]; } filled;  // by 32 words, x: a bit for each that has corners

uniform Params {
    ivec2 size;
    int joined; // words that already make one hull
} params;

const int kLines = 16;
const int kWorkers = 256 / kLines; // of a line
const int kMaxWords = 512;         // 16,384 places

shared uint hull[kMaxWords * kLines]; // by word, then by line

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
void set_corners(int word, uint bits) {
    hull[word * kLines + line()] = bits;
}
#include "exact_joins.glsl"

void main() {
    bool has_line = line_x() < params.size.x;
    int words = (params.size.y + 31) / 32;
    for (int word = worker(); word < words; word += kWorkers)
        set_corners(word, has_line ? hulls.words[place_of_hull(word)] : 0u);
    for (int span = params.joined; span < words; span *= 2) {
        barrier();
        for (int low = worker() * 2 * span; low + span < words; low += kWorkers * 2 * span)
            join(low, low + span, min(low + 2 * span, words));
    }
    barrier();
    if (!has_line) return;
    for (int word = worker(); word < words; word += kWorkers)
        hulls.words[place_of_hull(word)] = corners(word);
    int block = worker();
    if (block * 32 >= words) return;
    uint found = 0u;
    for (int i = 0; i < min(32, words - block * 32); ++i)
        found |= corners(block * 32 + i) != 0u ? 1u << i : 0u;
    filled.words[uint(block * params.size.x + line_x())] = found;
}
