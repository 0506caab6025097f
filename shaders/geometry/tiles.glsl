// Finds the tiles of the screen that triangles meet. A triangle that few tiles can be of is one
// invocation's, the others are shared out. A kernel declares
// before it what it does with them:
//
//     void begin_triangle(uint triangle)       its invocation is about to count, or write
//     void take_tile(uint triangle, uint tile)
//     void end_triangle(uint triangle)         all of its tiles are taken
//
// Tiles of a triangle are taken in any order, each once.
#include "invocation.glsl"
#include "mesh.glsl"
#include "polygon.glsl"
#include "setup.glsl"

layout(constant_id = 1) const uint kTileShift = 4u; // side of a tile: at most 32 pixels

const int kFewTiles = 16;
const uint kGroup = gl_WorkGroupSize.x;
shared uvec2 wide_triangles[kGroup]; // number, and 1 if it must be clipped
shared uint wide_count;

struct Tiles {
    ivec2 low;
    ivec2 size; // 0 if there are none
};

ivec2 tiles_of_picture() {
    return ivec2(params.size) + (1 << kTileShift) - 1 >> kTileShift;
}

Tiles tiles_between(ivec2 a, ivec2 b, ivec2 c) {
    PixelBox box = pixels_between(a, b, c, ivec2(0), ivec2(params.size) - 1);
    if (is_empty(box)) return Tiles(ivec2(0), ivec2(0));
    ivec2 low = box.low >> kTileShift;
    return Tiles(low, (box.high >> kTileShift) - low + 1);
}

// Whether pixels of the tile may be in the triangle: no edge has all of them outside.
bool meets(ivec4 a, ivec4 b, ivec4 c, ivec2 tile) {
    Wide area = cross_product(b.xy - a.xy, c.xy - a.xy);
    if (!is_shown(area, params.cull)) return false;
    ivec2 first = tile << kTileShift;
    ivec2 last = min(first + (1 << kTileShift), ivec2(params.size)) - 1;
    PixelBox box = pixels_between(a.xy, b.xy, c.xy, first, last);
    if (is_empty(box)) return false;
    Setup s = set_up(a, b, c, area, box.low);
    ivec2 size = box.high - box.low;
    ivec3 most = s.edges + size.x * max(s.across, ivec3(0)) + size.y * max(s.down, ivec3(0));
    return all(greaterThanEqual(most, ivec3(0)));
}

uint tile_number(ivec2 tile) {
    return uint(tile.y * tiles_of_picture().x + tile.x);
}

void take_few(uint triangle, Corners t, Tiles tiles) {
    begin_triangle(triangle);
    for (int y = 0; y < tiles.size.y; ++y)
        for (int x = 0; x < tiles.size.x; ++x) {
            ivec2 tile = tiles.low + ivec2(x, y);
            if (meets(t.a, t.b, t.c, tile)) take_tile(triangle, tile_number(tile));
        }
    end_triangle(triangle);
}

// Sets aside what is shared out.
void take_own(uint triangle) {
    Corners t;
    uint fate = load_triangle(triangle, t);
    if (fate == kClip) {
        wide_triangles[atomicAdd(wide_count, 1u)] = uvec2(triangle, 1u);
        return;
    }
    Tiles tiles = Tiles(ivec2(0), ivec2(0));
    if (fate == kDraw) tiles = tiles_between(t.a.xy, t.b.xy, t.c.xy);
    if (tiles.size.x * tiles.size.y > kFewTiles)
        wide_triangles[atomicAdd(wide_count, 1u)] = uvec2(triangle, 0u);
    else
        take_few(triangle, t, tiles);
}

void take_wide(uint triangle) {
    Corners t;
    load_triangle(triangle, t);
    Tiles tiles = tiles_between(t.a.xy, t.b.xy, t.c.xy);
    int count = tiles.size.x * tiles.size.y;
    for (int i = int(gl_LocalInvocationIndex); i < count; i += int(kGroup)) {
        ivec2 tile = tiles.low + ivec2(i % tiles.size.x, i / tiles.size.x);
        if (meets(t.a, t.b, t.c, tile)) take_tile(triangle, tile_number(tile));
    }
}

void take_clipped(uint triangle) {
    make_polygon(corners_of(triangle));
    ivec2 tiles = tiles_of_picture();
    for (int i = int(gl_LocalInvocationIndex); i < tiles.x * tiles.y; i += int(kGroup)) {
        ivec2 tile = ivec2(i % tiles.x, i / tiles.x);
        bool met = false;
        for (int k = 2; k < polygon_count && !met; ++k)
            met = meets(polygon[0], polygon[k - 1], polygon[k], tile);
        if (met) take_tile(triangle, tile_number(tile));
    }
}

void take_tiles() {
    uint lane = gl_LocalInvocationIndex;
    uint group = group_index();
    if (lane == 0u) wide_count = 0u;
    barrier();
    uint triangle = group * kGroup + lane;
    if (triangle < params.triangles) take_own(triangle);
    barrier();
    uint count = wide_count;
    for (uint i = 0u; i < count; ++i) {
        uvec2 wide = wide_triangles[i];
        if (lane == 0u) begin_triangle(wide.x);
        barrier();
        if (wide.y == 0u)
            take_wide(wide.x);
        else
            take_clipped(wide.x);
        barrier();
        if (lane == 0u) end_triangle(wide.x);
    }
}
