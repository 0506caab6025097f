#ifndef DISTANCE_EXACT_PICTURE
#define DISTANCE_EXACT_PICTURE
// What texels of a picture get; WHOLE_COLUMNS: and how a group that has a few whole columns reads them.

uniform writeonly uimage2D field;
uniform writeonly uimage2D site_places; // x | y << 16

const uint kNoSite = 0xffffffffu;

// The site of texel `at` is that of place s in its column, dx columns away from it.
void store_texel(ivec2 at, int s, int dx) {
    int dy = s - at.y;
    imageStore(field, at, uvec4(dx * dx + dy * dy, 0u, 0u, 0u));
    imageStore(site_places, at, uvec4(uint(at.x + dx) | uint(s) << 16, 0u, 0u, 0u));
}
void store_no_site(ivec2 at) {
    imageStore(field, at, uvec4(kUnreached, 0u, 0u, 0u));
    imageStore(site_places, at, uvec4(kNoSite, 0u, 0u, 0u));
}

#ifdef WHOLE_COLUMNS
// Four columns side by side at a time. The kernel has the buffer `columns`, params.size, kGroup, kPlaces,
// kRow, the words of a place, and `tile`, where those of a place begin at words_at(place).
const int kQuads = kRow / 2;
const int kRowsAtOnce = kGroup / kQuads;

// What the invocation reads of the columns, kNowhere behind their ends.
struct Quads {
    uvec2 of[kPlaces / kRowsAtOnce];
};
Quads read_columns() {
    Quads quads;
    int pitch = words_of_row(params.size.x) / 2;
    int column = int(gl_WorkGroupID.x) * kQuads + int(gl_LocalInvocationIndex) % kQuads;
    int rows = column < pitch ? params.size.y : 0;
    [[unroll]] for (int i = 0; i < kPlaces / kRowsAtOnce; ++i) {
        int row = int(gl_LocalInvocationIndex) / kQuads + i * kRowsAtOnce;
        quads.of[i] = uvec2(kNowhere | kNowhere << 16);
        if (row < rows) quads.of[i] = columns.quads[uint(row * pitch + column)];
    }
    return quads;
}
void store_tile(Quads quads) {
    [[unroll]] for (int i = 0; i < kPlaces / kRowsAtOnce; ++i) {
        int row = int(gl_LocalInvocationIndex) / kQuads + i * kRowsAtOnce;
        int at = words_at(row) + int(gl_LocalInvocationIndex) % kQuads * 2;
        tile[at] = quads.of[i].x;
        tile[at + 1] = quads.of[i].y;
    }
}

// For exact_search.glsl.
ivec2 squares_of(int pair, int row) {
    uint found = kNowhere | kNowhere << 16;
    if (row >= 0 && row < kPlaces) found = tile[words_at(row) + pair];
    ivec2 dx = ivec2(x_offset(found), int(found) >> 16);
    return dx * dx;
}
#endif

#endif
