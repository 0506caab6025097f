// Several kernels at once as a product of matrices: a row for each result, with the numbers of its
// window; a column for each kernel. The rows are never in memory: they are read out of the source.
#include "window_taps.glsl"

readonly buffer Source { float values[]; } source;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uvec4 size;
    uvec4 result_size;
    ivec4 before;
    uint filters;
    uint border;
    uint turned;
    uint rows;   // of all arrays
    uvec2 tiles; // of the product: across, down
} params;

// Of the product, that a group makes.
const uint kTileRows = 128u;
const uint kTileColumns = 16u;

struct Row {
    bool exists;
    Window window;
};

Row row_of(uint index) {
    bool exists = index < params.rows;
    return Row(exists, window_of(exists ? index : 0u, params.size, params.result_size,
                                 params.before, 1u));
}

// A place in the window that goes from weight to weight.
struct Cursor {
    uvec4 tap;
    uint at; // index of its number in a window that is whole
};

Cursor cursor_at(Row row, uint tap) {
    uvec4 place = place_of(tap, kernel_size());
    uint at = 0u;
    if (row.window.is_whole)
        at = row.window.source + index_of(uvec4(row.window.first) + place, params.size);
    return Cursor(place, at);
}

void advance(inout Cursor cursor) {
    ++cursor.tap.x;
    ++cursor.at;
    if (cursor.tap.x < kernel_x) return;
    cursor.tap.x = 0u;
    ++cursor.tap.y;
    cursor.at += params.size.x - kernel_x;
    if (cursor.tap.y < kernel_y) return;
    cursor.tap.y = 0u;
    ++cursor.tap.z;
    cursor.at += (params.size.y - kernel_y) * params.size.x;
    if (cursor.tap.z < kernel_z) return;
    cursor.tap.z = 0u;
    ++cursor.tap.w;
    cursor.at += (params.size.z - kernel_z) * params.size.y * params.size.x;
}

// The number there, zero behind the last weight; the cursor goes on.
float next_number(Row row, inout Cursor cursor) {
    float number = 0.0;
    if (row.exists && cursor.tap.w < kernel_w) {
        if (row.window.is_whole) {
            number = source.values[cursor.at];
        } else {
            uint at = index_read(params.border, row.window.first + ivec4(cursor.tap), params.size);
            if (at != kNowhere) number = source.values[row.window.source + at];
        }
    }
    advance(cursor);
    return number;
}

void store_result(uint row, uint column, float sum) {
    if (row >= params.rows || column >= params.filters) return;
    uint each = count_of(params.result_size);
    result.values[(row / each * params.filters + column) * each + row % each] = sum;
}
