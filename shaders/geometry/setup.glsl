#ifndef GEOMETRY_SETUP
#define GEOMETRY_SETUP
// A triangle made ready for its pixels: exact edge functions and the plane of its depth.
//
// For an edge from p to q, the cross product E(x) = (q - p) x (x - p) is positive on its inner side.
// A pixel counts if all three are positive, or zero on an edge at the top or left. In fractions E
// takes 50 bits. But from one middle of a pixel to the next it changes by multiples of 256, so that
// floor(E / 256) has the same sign, changes by whole numbers, and fits 32 bits:
//  - in a triangle of width w and height h in fractions 0 <= E <= w h for points of its box, up to
//    the sign; kept small, that is below 2^38;
//  - in a block of 32 x 32 pixels it changes by at most 62 * 2^24 < 2^30. Values beyond 2^30 at the
//    block's corner keep their sign all over it, and are cut off there.
#include "screen.glsl"

const int kMaxEdge = 1 << 30;
const float kSmallBox = 137438953472.0; // 2^37 square fractions

struct Setup {
    ivec3 across; // change of the three edge functions from a pixel to the next of its row,
    ivec3 down;   // to that of the next row,
    ivec3 edges;  // and their values at the first pixel; all in 256 square fractions
    ivec2 first;  // pixel
    ivec2 from;   // from vertex 0 to the middle of the first pixel, in fractions
    vec3 depth;   // at vertex 0; change a fraction across and down
    vec2 depths;  // the least and the greatest
};

struct PixelBox {
    ivec2 low;
    ivec2 high; // within; beyond `low` if empty
};

// 64 bits, in two's complement.
struct Wide {
    int high;
    uint low;
};

Wide cross_product(ivec2 a, ivec2 b) {
    int high_a;
    int low_a;
    int high_b;
    int low_b;
    imulExtended(a.x, b.y, high_a, low_a);
    imulExtended(a.y, b.x, high_b, low_b);
    uint low = uint(low_a) - uint(low_b);
    return Wide(high_a - high_b - int(uint(low_a) < uint(low_b)), low);
}

// Of less than 2^54, by its magnitude, for the halves of a small negative number would cancel out, and
// in pieces of less than 31 bits, which every device converts alike.
float to_float(Wide a) {
    bool negative = a.high < 0;
    uint low = negative ? 0u - a.low : a.low;
    uint high = negative ? ~uint(a.high) + uint(a.low == 0u) : uint(a.high);
    precise float upper = float(int(high << 8 | low >> 24)) * 16777216.0;
    precise float sum = upper + float(int(low & 0xffffffu));
    return negative ? -sum : sum;
}

// floor((a - less) / 256), cut off at kMaxEdge; `less` is 0 or 1.
int in_pixels(Wide a, uint less) {
    int high = a.high - int(a.low < less);
    uint low = a.low - less;
    int quotient = int(uint(high) << 24 | low >> 8);
    if (high >> 8 != quotient >> 31) return high < 0 ? -kMaxEdge : kMaxEdge;
    return clamp(quotient, -kMaxEdge, kMaxEdge);
}

// Pixels whose middles lie in the box of three points, of those from `low` to `high`.
PixelBox pixels_between(ivec2 a, ivec2 b, ivec2 c, ivec2 low, ivec2 high) {
    ivec2 least = min(a, min(b, c));
    ivec2 most = max(a, max(b, c));
    // The middle of pixel i is at 256 i + 128.
    return PixelBox(max(least + 127 >> 8, low), min(most - 128 >> 8, high));
}

bool is_empty(PixelBox box) {
    return any(greaterThan(box.low, box.high));
}

// Whether 32 bits do for all pixels of its box.
bool is_small(ivec2 a, ivec2 b, ivec2 c) {
    vec2 size = vec2(max(a, max(b, c)) - min(a, min(b, c)));
    return size.x * size.y < kSmallBox;
}

// 1 where a middle on the edge is outside: at the right and the bottom.
uint excluded(ivec2 along) {
    return along.y < 0 || along.y == 0 && along.x > 0 ? 0u : 1u;
}

int edge_at(ivec2 along, ivec2 to) {
    return in_pixels(cross_product(along, to), excluded(along));
}

// False where the triangle has no area or shows a face that is left out. `area` is that of
// (b - a) x (c - a).
bool is_shown(Wide area, uint cull) {
    if (area.high == 0 && area.low == 0u) return false;
    bool front = area.high < 0; // counter-clockwise, as y points down
    return cull == 0u || front == (cull == 2u);
}

// `first` is the pixel at which the values are given.
Setup set_up(ivec4 a, ivec4 b, ivec4 c, Wide area, ivec2 first) {
    Setup s;
    s.first = first;
    ivec2 middle = first * kFraction + kFraction / 2;
    s.from = middle - a.xy;
    // Clockwise from here on: inside is to the right of each edge.
    ivec2 p = area.high < 0 ? c.xy : b.xy;
    ivec2 q = area.high < 0 ? b.xy : c.xy;
    ivec2 ap = p - a.xy;
    ivec2 pq = q - p;
    ivec2 qa = a.xy - q;
    s.across = -ivec3(ap.y, pq.y, qa.y);
    s.down = ivec3(ap.x, pq.x, qa.x);
    s.edges = ivec3(edge_at(ap, s.from), edge_at(pq, middle - p), edge_at(qa, middle - q));

    // The depth of a's side of (b - a) x (c - a): every operation rounded by itself, for all ways
    // of drawing must give the same bits.
    float za = intBitsToFloat(a.z);
    float zb = intBitsToFloat(b.z);
    float zc = intBitsToFloat(c.z);
    vec2 ab = vec2(b.xy - a.xy);
    vec2 ac = vec2(c.xy - a.xy);
    precise float rise_b = zb - za;
    precise float rise_c = zc - za;
    precise float x1 = rise_b * ac.y;
    precise float x2 = rise_c * ab.y;
    precise float y1 = rise_c * ab.x;
    precise float y2 = rise_b * ac.x;
    precise float x = x1 - x2;
    precise float y = y1 - y2;
    float whole = to_float(area);
    bool fused = divides_by_fma(params.size);
    precise float slope_x = divide(x, whole, fused);
    precise float slope_y = divide(y, whole, fused);
    s.depth = vec3(za, slope_x, slope_y);
    s.depths = vec2(min(za, min(zb, zc)), max(za, max(zb, zc)));
    return s;
}

bool is_inside(ivec3 edges) {
    return (edges.x | edges.y | edges.z) >= 0;
}

// At a point that many fractions from vertex 0: within what the vertices have, for at slivers the
// slope is steep.
float depth_at(vec3 plane, vec2 depths, ivec2 from) {
    precise float x = plane.y * float(from.x);
    precise float y = plane.z * float(from.y);
    precise float rise = x + y;
    precise float depth = plane.x + rise;
    return clamp(depth, depths.x, depths.y);
}

#endif
