#version 460
//! variants STORE=none,kept COUNTED=0,1
// What rays hit, each by itself: where a ray meets the box of a patch it goes down the patch's quad
// tree, whose boxes come from the corners of the parts of the quad and from the least and greatest
// displacements there. Nothing is stored, and the stack is a word: a bit for each quarter that is still
// to be visited. STORE=kept: down its tree, where trees are kept. COUNTED: also the levels of what rays
// hit, and counts.

layout(local_size_x = 64) in;

#if STORE_kept
#include "tree.glsl"
#endif
#include "levels.glsl"
#include "invocation.glsl"

writeonly buffer Hits { uvec4 values[]; } hits;
#if COUNTED
writeonly buffer Levels { uint values[]; } levels; // of the patch hit
struct CastStatus { uint pairs, room, hits, coarse; }; // as in status.glsl
buffer Status { CastStatus elements[]; } status;

shared uint hit_count;
shared uint coarse_count;
#endif

layout(constant_id = 1) const uint question_any = 0u; // 1: any hit will do

uniform Params {
    uint ray_count;
    uint finest;
    float scale;
    float spread;
    vec3 eye;
    uint patch_count;
    uint node_room; // words, of a tree
} params;

#include "walk.glsl"

// Of the ray that is traced.
PatchHit best;
uint best_patch = 0xffffffffu;
uint best_level = 0u;
bool best_is_coarse = false;

#if !STORE_kept
readonly buffer Bounds { uvec4 values[]; } bounds;

// --- any part --------------------------------------------------------------------------------------

struct PartCorner {
    vec3 place; // on the quad
    vec2 uv;
    vec3 normal; // of any length; only with `along_normal`
};

PartCorner corner_at(PatchRecord p, vec2 at) {
    PartCorner corner = PartCorner(base_point(p, at), map_place(p, at), vec3(0.0));
    if (along_normal != 0u)
        corner.normal = between(p.normal_a, p.normal_b, p.normal_c, p.normal_d, at);
    return corner;
}
// All of a corner is linear along lines of the grid.
PartCorner middle(PartCorner a, PartCorner b) {
    return PartCorner(0.5 * (a.place + b.place), 0.5 * (a.uv + b.uv), 0.5 * (a.normal + b.normal));
}

// What the map says between two texture coordinates.
PatchBox moved_between(vec2 low_uv, vec2 high_uv) {
    int last = int(last_part_depth());
    float parts = float(1 << last);
    ivec2 from;
    ivec2 to;
    if (map_wrap == kClampMap) {
        from = min(ivec2(floor(clamp(low_uv, 0.0, 1.0) * parts)), (1 << last) - 1);
        to = max(ivec2(ceil(clamp(high_uv, 0.0, 1.0) * parts)) - 1, from);
    } else {
        uvec2 first;
        uvec2 end;
        parts_between(low_uv, high_uv, vec2(parts), first, end);
        from = ivec2(first);
        to = ivec2(end);
    }
    // The last depth of which two parts a side are enough, or one part that is as large.
    int apart = max(to.x - from.x, to.y - from.y);
    int up = apart > 1 ? findMSB(apart - 1) + 1 : 0;
    if (up > 0 && all(lessThanEqual((to >> up - 1) - (from >> up - 1), ivec2(1)))) --up;
    from >>= up;
    to >>= up;
    if (all(equal(to, from + 1)) && all(equal(from & 1, ivec2(0)))) {
        ++up;
        from >>= 1;
        to = from;
    }
    if (map_wrap != kClampMap) {
        if (up > last) { // more than the map
            up = last;
            from = to = ivec2(0);
        }
        from = ivec2(part_of_map(uvec2(from), uvec2(last - up)));
        to = ivec2(part_of_map(uvec2(to), uvec2(last - up)));
    }
    uint depth = uint(last - up);
    uvec4 part = bounds.values[part_around(uvec2(from), depth)];
    PatchBox moved = PatchBox(least_of(part), most_of(part));
    if (any(notEqual(from, to))) {
        uvec4 others[3] = uvec4[3](bounds.values[part_around(uvec2(to.x, from.y), depth)],
                                   bounds.values[part_around(uvec2(from.x, to.y), depth)],
                                   bounds.values[part_around(uvec2(to), depth)]);
        moved.low = min(min(moved.low, least_of(others[0])),
                        min(least_of(others[1]), least_of(others[2])));
        moved.high = max(max(moved.high, most_of(others[0])),
                         max(most_of(others[1]), most_of(others[2])));
    }
    return moved;
}

// Unit normals between four of any length, times a height.
PatchBox along_normals(vec3 a, vec3 b, vec3 c, vec3 d, float least, float most) {
    vec3 sum = a + b + c + d;
    vec3 unit = sum / max(length(sum), 1e-30);
    // Vectors between the four are at least as long as the shortest along their middle.
    float shortest = min(min(dot(a, unit), dot(b, unit)), min(dot(c, unit), dot(d, unit)));
    float longest = sqrt(max(max(dot(a, a), dot(b, b)), max(dot(c, c), dot(d, d))));
    vec3 low = vec3(-1.0);
    vec3 high = vec3(1.0);
    // `base_normal` takes very short ones for none.
    if (shortest > max(1e-6 * longest, 1e-14)) {
        vec3 from = min(min(a, b), min(c, d));
        vec3 to = max(max(a, b), max(c, d));
        low = max(min(from / shortest, from / longest), low);
        high = min(max(to / shortest, to / longest), high);
    }
    return PatchBox(min(min(low * least, low * most), min(high * least, high * most)),
                    max(max(low * least, low * most), max(high * least, high * most)));
}

// The greatest displacements of the whole map along each axis, times `scale`.
vec3 farthest_moved(float scale) {
    uvec4 whole = bounds.values[0];
    return max(abs(least_of(whole)), abs(most_of(whole))) * abs(scale);
}
float largest_uv(PatchRecord p) {
    vec4 u = abs(vec4(p.u_a, p.u_b, p.u_c, p.u_d));
    vec4 v = abs(vec4(p.v_a, p.v_b, p.v_c, p.v_d));
    vec4 farthest = max(u, v);
    return max(max(max(farthest.x, farthest.y), max(farthest.z, farthest.w)), 1.0);
}

// How far points of a part may lie beyond what the map says of it: texture coordinates round, and a
// point at the end of the part may take a little of the next texel.
vec3 slack_of_map(PatchRecord p, float scale) {
    return 3e-6 * largest_uv(p) * float(max(map_width, map_height)) * farthest_moved(scale);
}

// A box around all points of a part with these corners.
PatchBox box_around(PartCorner a, PartCorner b, PartCorner c, PartCorner d, float scale,
                    vec3 beyond_map) {
    PatchBox moved =
        moved_between(min(min(a.uv, b.uv), min(c.uv, d.uv)), max(max(a.uv, b.uv), max(c.uv, d.uv)));
    vec3 least = min(moved.low * scale, moved.high * scale) - beyond_map;
    vec3 most = max(moved.low * scale, moved.high * scale) + beyond_map;
    if (along_normal != 0u) {
        PatchBox along = along_normals(a.normal, b.normal, c.normal, d.normal, least.x, most.x);
        least = along.low;
        most = along.high;
    }
    vec3 low = min(min(a.place, b.place), min(c.place, d.place)) + least;
    vec3 high = max(max(a.place, b.place), max(c.place, d.place)) + most;
    // What points lose by rounding.
    vec3 slack = 2e-6 * (max(abs(low), abs(high)) + max(abs(least), abs(most)));
    return PatchBox(low - slack, high + slack);
}

// A box around a cell of the grid of `depth`, and around the points of coarser edges that its own
// points move to.
PatchBox box_beside_edges(PatchRecord p, uvec2 cell, uint depth, PatchLevels levels, float scale,
                          vec3 beyond_map) {
    uint last = (1u << depth) - 1u;
    uvec4 step = depth - min(levels.edges, uvec4(depth)); // of ab, bc, cd, da; as powers of two
    uvec2 bits = uvec2(max(cell.y == 0u ? step.x : 0u, cell.y == last ? step.z : 0u),
                       max(cell.x == last ? step.y : 0u, cell.x == 0u ? step.w : 0u));
    uvec2 first = cell >> bits;
    float side = float(1u << depth);
    vec2 from = vec2(first << bits) / side;
    vec2 to = vec2(first + 1u << bits) / side;
    return box_around(corner_at(p, from), corner_at(p, vec2(to.x, from.y)), corner_at(p, to),
                      corner_at(p, vec2(from.x, to.y)), scale, beyond_map);
}

bool meets(PreparedRay ray, PatchBox box, float limit) {
    return may_hit(interval_in(ray.slabs, box.low, box.high), limit);
}

// The quarters of a part whose boxes the ray meets, a bit each; quarter 1 is the next one along the
// first coordinate, quarter 2 along the second.
uint quarters_beside_edges(PreparedRay ray, PatchRecord p, uvec2 cell, uint depth, PatchLevels levels,
                           float scale, vec3 beyond_map, float limit) {
    uint met = 0u;
    for (uint k = 0u; k < 4u; ++k) {
        PatchBox box = box_beside_edges(p, 2u * cell + uvec2(k & 1u, k >> 1u), depth + 1u, levels,
                                        scale, beyond_map);
        met |= uint(meets(ray, box, limit)) << k;
    }
    return met;
}

// `again`: the ray may not meet the part any more.
uint quarters_along_normals(PreparedRay ray, PatchRecord p, uvec2 cell, uint depth, float scale,
                            vec3 beyond_map, float limit, bool again) {
    float side = float(1u << depth);
    vec2 from = vec2(cell) / side;
    vec2 to = vec2(cell + 1u) / side;
    PartCorner a = corner_at(p, from);
    PartCorner b = corner_at(p, vec2(to.x, from.y));
    PartCorner c = corner_at(p, to);
    PartCorner d = corner_at(p, vec2(from.x, to.y));
    if (again && !meets(ray, box_around(a, b, c, d, scale, beyond_map), limit)) return 0u;
    PartCorner ab = middle(a, b);
    PartCorner bc = middle(b, c);
    PartCorner cd = middle(c, d);
    PartCorner da = middle(d, a);
    PartCorner centre = middle(ab, cd);
    return uint(meets(ray, box_around(a, ab, centre, da, scale, beyond_map), limit)) |
           uint(meets(ray, box_around(ab, b, bc, centre, scale, beyond_map), limit)) << 1u |
           uint(meets(ray, box_around(da, centre, cd, d, scale, beyond_map), limit)) << 2u |
           uint(meets(ray, box_around(centre, bc, c, cd, scale, beyond_map), limit)) << 3u;
}

// --- parts of vector maps ----------------------------------------------------------------------------
// All of a bilinear quad's point is at(x, y) = a + x * along + y * across + x * y * twist.

// Seen so that the ray goes up both coordinates, which go along the map's where the patch is a part of
// the map.
struct PatchFrame {
    vec3 a; // seen from the ray's origin
    vec3 along;
    vec3 across;
    vec3 twist;
    vec3 slack; // what points lose by rounding
    uint map_part; // where the patch is a part of the map: which, 16 bits each
    uint bits;     // 0 to 7: the depth at which parts of the map are no smaller than the patch
};

const uint kAligned = 0x100u; // the patch is a part of the map
const uint kTurned = 0x200u;  // coordinates are exchanged

// Coordinates that go down those of the patch, and of the map.
uvec2 flips_of_patch(PatchFrame frame) {
    return uvec2(frame.bits >> 10u, frame.bits >> 11u) & 1u;
}
uvec2 flips_of_map(PatchFrame frame) {
    return uvec2(frame.bits >> 12u, frame.bits >> 13u) & 1u;
}

// In the patch's own coordinates, whose lowest cells are those at its corner a.
uvec2 cell_of_patch(PatchFrame frame, uvec2 cell, uint depth) {
    uvec2 own = cell ^ flips_of_patch(frame) * ((1u << depth) - 1u);
    return (frame.bits & kTurned) != 0u ? own.yx : own;
}
// From quarters in the patch's own coordinates.
uint quarters_seen(PatchFrame frame, uint met) {
    uvec2 flips = flips_of_patch(frame);
    if ((frame.bits & kTurned) != 0u) met = (met & 9u) | (met & 2u) << 1u | (met & 4u) >> 1u;
    if (flips.x != 0u) met = (met & 5u) << 1u | (met >> 1u & 5u);
    if (flips.y != 0u) met = (met & 3u) << 2u | met >> 2u;
    return met;
}

vec2 uv_twist(PatchRecord p) {
    return (vec2(p.u_a, p.v_a) - vec2(p.u_b, p.v_b)) + (vec2(p.u_c, p.v_c) - vec2(p.u_d, p.v_d));
}

// How the texture coordinates lie on parts of the map.
void align(PatchRecord p, inout PatchFrame frame) {
    vec2 along = vec2(p.u_b - p.u_a, p.v_b - p.v_a);
    vec2 across = vec2(p.u_d - p.u_a, p.v_d - p.v_a);
    vec2 twist = uv_twist(p);
    vec2 size = abs(along) + abs(across) + 3.5 * abs(twist);
    // Rounded up to a power of two.
    uint exponent = floatBitsToUint(clamp(max(size.x, size.y), 3.1e-5, 1e9)) + 0x7fffffu >> 23u;
    int depth = 127 - int(exponent);
    frame.map_part = 0u;
    frame.bits = uint(depth) & 0xffu;
    bool turned = along.x == 0.0 && across.y == 0.0;
    bool straight = turned || (along.y == 0.0 && across.x == 0.0);
    if (!straight || twist != vec2(0.0) || depth < 0) return;
    vec2 sides = turned ? vec2(across.x, along.y) : vec2(along.x, across.y);
    vec2 low = vec2(p.u_a, p.v_a) + min(sides, vec2(0.0));
    if (map_wrap != kClampMap) low -= periods_below(low);
    float parts = float(1 << depth);
    vec2 place = low * parts;
    vec2 end = vec2(map_wrap == kClampMap ? 1.0 : 2.0);
    if (abs(sides) * parts != vec2(1.0) || place != floor(place) || any(lessThan(low, vec2(0.0))) ||
        any(greaterThanEqual(low, end)))
        return;
    uvec2 part = uvec2(place);
    if (map_wrap != kClampMap) {
        uvec2 odd;
        part = part_of_map(part, uvec2(depth), odd);
        frame.bits ^= odd.x << 12u | odd.y << 13u;
    }
    frame.map_part = part.x | part.y << 16u;
    frame.bits ^= kAligned | (turned ? kTurned : 0u) | uint(sides.x < 0.0) << 12u |
                  uint(sides.y < 0.0) << 13u;
}

PatchFrame frame_of(PreparedRay ray, PatchRecord p, float scale) {
    PatchFrame frame;
    vec3 far = max(max(abs(p.a), abs(p.b)), max(abs(p.c), abs(p.d))) + abs(ray.origin);
    // With how far rays along a slab's face see it apart.
    frame.slack = 4e-6 * (far + farthest_moved(scale)) + slack_of_map(p, scale) +
                  2.0 * (ray.slabs.low - ray.origin);
    align(p, frame);
    bool turned = (frame.bits & kTurned) != 0u;
    vec3 along = turned ? p.d - p.a : p.b - p.a;
    vec3 across = turned ? p.b - p.a : p.d - p.a;
    vec3 twist = (p.a - p.b) + (p.c - p.d);
    bool down_x = dot(ray.direction, 2.0 * along + twist) < 0.0;
    bool down_y = dot(ray.direction, 2.0 * across + twist) < 0.0;
    frame.a = p.a - ray.origin + (down_x ? along : vec3(0.0)) + (down_y ? across : vec3(0.0)) +
              (down_x && down_y ? twist : vec3(0.0));
    frame.along = along + (down_y ? twist : vec3(0.0));
    frame.across = across + (down_x ? twist : vec3(0.0));
    if (down_x) frame.along = -frame.along;
    if (down_y) frame.across = -frame.across;
    frame.twist = down_x != down_y ? -twist : twist;
    uint down = uint(down_x) | uint(down_y) << 1u;
    frame.bits ^= down << 10u | down << 12u;
    return frame;
}

uvec4 both(uvec4 a, uvec4 b) {
    return floatBitsToUint(vec4(min(least_of(a), least_of(b)), 0.0)) >> 16u |
           floatBitsToUint(vec4(max(most_of(a), most_of(b)), 0.0));
}

// What the map says of the quarters of a part.
void moved_quarters(PatchRecord p, PatchFrame frame, uvec2 cell, uint depth, out uvec4 moved[4]) {
    int wanted = bitfieldExtract(int(frame.bits), 0, 8) + int(depth) + 1;
    uint at_depth = min(uint(max(wanted, 0)), last_part_depth());
    uint first = first_part(at_depth);
    uvec2 bits = part_bits_at(at_depth);
    if ((frame.bits & kAligned) != 0u) {
        uvec2 flips = flips_of_map(frame);
        uvec2 shift = uint(wanted) - bits;
        uvec2 part = (uvec2(frame.map_part & 0xffffu, frame.map_part >> 16u) << depth) +
                     (cell ^ flips * ((1u << depth) - 1u));
        part = 2u * part + flips >> shift;
        // From a part to the one for the next quarter along each coordinate.
        ivec2 next = mix(1 - 2 * ivec2(flips), ivec2(0), notEqual(shift, uvec2(0u)));
        next.y <<= bits.x;
        int number = int(first + (part.y << bits.x) + part.x);
        moved[0] = bounds.values[number];
        moved[1] = bounds.values[number + next.x];
        moved[2] = bounds.values[number + next.y];
        moved[3] = bounds.values[number + next.x + next.y];
        return;
    }
    float side = uintBitsToFloat(127u - depth << 23u);
    vec2 at = (vec2(cell) + 0.5) * side;
    float quarter = 0.25 * side;
    vec2 flips = vec2(flips_of_patch(frame));
    vec2 ways = 1.0 - 2.0 * flips;
    at = flips + ways * at;
    vec2 twist = uv_twist(p);
    vec2 a = vec2(p.u_a, p.v_a);
    vec2 along = vec2(p.u_b, p.v_b) - a;
    vec2 across = vec2(p.u_d, p.v_d) - a + at.x * twist;
    vec2 middle = a + at.x * along + at.y * across;
    vec2 dx = ways.x * quarter * (along + at.y * twist);
    vec2 dy = ways.y * quarter * across;
    vec2 dxy = ways.x * ways.y * quarter * quarter * twist;
    vec2 half_size = max(abs(dx) + abs(dy) + 3.0 * abs(dxy) - 5e-7 * largest_uv(p), vec2(0.0));
    vec2 parts = vec2(uvec2(1u) << bits);
    for (uint k = 0u; k < 4u; ++k) {
        vec2 centre = middle + ((k & 1u) != 0u ? dx : -dx) + ((k & 2u) != 0u ? dy : -dy) +
                      (k == 0u || k == 3u ? dxy : -dxy);
        uvec2 from;
        uvec2 to;
        if (map_wrap == kClampMap) {
            vec2 low = clamp(centre - half_size, 0.0, 1.0) * parts;
            vec2 high = clamp(centre + half_size, 0.0, 1.0) * parts;
            from = min(uvec2(low), uvec2(parts) - 1u);
            to = max(uvec2(ceil(high)), from + 1u) - 1u;
        } else {
            parts_between(centre - half_size, centre + half_size, parts, from, to);
            from = part_of_map(from, bits);
            to = part_of_map(to, bits);
        }
        uvec2 row = first + (uvec2(from.y, to.y) << bits.x);
        moved[k] = both(both(bounds.values[row.x + from.x], bounds.values[row.x + to.x]),
                        both(bounds.values[row.y + from.x], bounds.values[row.y + to.x]));
    }
}

// The quarters of a part whose boxes the ray meets. All have one size, the largest's: on parallelograms
// they are equal.
uint quarters_of_vectors(PreparedRay ray, PatchRecord p, PatchFrame frame, uvec2 cell, uint depth,
                         float scale, float limit) {
    uvec4 moved[4];
    moved_quarters(p, frame, cell, depth, moved);
    float side = uintBitsToFloat(127u - depth << 23u);
    vec2 at = (vec2(cell) + 0.5) * side;
    float quarter = 0.25 * side;
    vec3 across = frame.across + at.x * frame.twist;
    vec3 middle = frame.a + at.x * frame.along + at.y * across;
    vec3 dx = quarter * (frame.along + at.y * frame.twist);
    vec3 dy = quarter * across;
    vec3 dxy = quarter * quarter * frame.twist;
    vec3 half_size = abs(dx) + abs(dy) + 3.0 * abs(dxy) + frame.slack;
    // Distances along the ray: a box is as long on both sides of its middle.
    vec3 half_way = half_size * abs(ray.slabs.inverse);
    uint met = 0u;
    for (uint k = 0u; k < 4u; ++k) {
        vec3 centre = middle + ((k & 1u) != 0u ? dx : -dx) + ((k & 2u) != 0u ? dy : -dy) +
                      (k == 0u || k == 3u ? dxy : -dxy);
        vec3 a = (centre + least_of(moved[k]) * scale) * ray.slabs.inverse;
        vec3 b = (centre + most_of(moved[k]) * scale) * ray.slabs.inverse;
        vec3 near = min(a, b) - half_way;
        vec3 far = max(a, b) + half_way;
        float enters = max(max(near.x, near.y), near.z);
        float leaves = min(min(far.x, far.y), far.z);
        // NaN, from differences of infinite distances, is a hit.
        bool misses = enters > leaves || leaves < 0.0 || enters > limit;
        met |= uint(!misses) << k;
    }
    return met;
}

// --- the way down ------------------------------------------------------------------------------------

// How far a ray has come in a patch: one part a step.
struct PartsWalk {
    PatchLevels levels;
    PatchFrame frame;
    uint waiting; // quarters of the parts on the way, four bits a depth, nearest first
    uint depth;   // of the next part
    uvec2 cell;
    bool done;
};

PartsWalk walk_from_top(PreparedRay ray, PatchRecord p, PatchLevels levels, float scale) {
    return PartsWalk(levels, frame_of(ray, p, scale), 0u, 0u, uvec2(0u), false);
}

// A part that the ray meets, nearer quarters first.
void next_part(PreparedRay ray, PatchRecord p, float scale, inout PartsWalk walk, inout PatchHit found) {
    PatchLevels levels = walk.levels;
    if (walk.depth == levels.level) {
        meet_cell(ray, p, cell_of_patch(walk.frame, walk.cell, walk.depth), levels, scale, found);
    } else {
        uint coarsest_edge =
            min(min(levels.edges.x, levels.edges.y), min(levels.edges.z, levels.edges.w));
        uint last = (1u << walk.depth) - 1u;
        bool at_border = walk.cell.x == 0u || walk.cell.y == 0u || walk.cell.x == last ||
                         walk.cell.y == last;
        uint met;
        uvec2 own = cell_of_patch(walk.frame, walk.cell, walk.depth);
        if (at_border && walk.depth >= coarsest_edge)
            met = quarters_seen(walk.frame,
                                quarters_beside_edges(ray, p, own, walk.depth, levels, scale,
                                                      slack_of_map(p, scale), found.t));
        else if (along_normal != 0u)
            met = quarters_seen(walk.frame,
                                quarters_along_normals(ray, p, own, walk.depth, scale,
                                                       slack_of_map(p, scale), found.t,
                                                       found.cell != 0xffffffffu));
        else
            met = quarters_of_vectors(ray, p, walk.frame, walk.cell, walk.depth, scale, found.t);
        walk.waiting |= met << 4u * walk.depth;
    }
    if (walk.waiting == 0u) {
        walk.done = true;
        return;
    }
    uint above = uint(findMSB(walk.waiting)) / 4u;
    uint quarter = uint(findLSB(walk.waiting >> 4u * above));
    walk.waiting &= ~(1u << 4u * above + quarter);
    walk.cell = (walk.cell >> walk.depth - above << 1u) + uvec2(quarter & 1u, quarter >> 1u);
    walk.depth = above + 1u;
}
#endif

float visit(uint number, PreparedRay ray, float t) {
    PlacedPatch placed = placed_patch(number, params.patch_count);
    uint i = placed.patch_index;
    PatchRecord p = patches.elements[i];
    PatchBox box = PatchBox(boxes.values[2u * i].xyz, boxes.values[2u * i + 1u].xyz);
    Fineness fineness = fineness_of(Ray(ray.origin, best.t, ray.direction, kNoTriangle),
                                    placed.instance, params.eye, params.spread);
    PatchLevels levels = levels_of(p, box, fineness, params.finest, params.scale);
    PatchHit found = PatchHit(best.t, 0xffffffffu, vec2(0.0));
#if STORE_kept
    tree_at = i * params.node_room;
    walk_tree(ray, p, steps_of(box), levels, params.scale, found);
#else
    PartsWalk walk = walk_from_top(ray, p, levels, params.scale);
    while (!walk.done) next_part(ray, p, params.scale, walk, found);
#endif
    if (found.cell != 0xffffffffu &&
        (found.t < best.t || best_patch == 0xffffffffu || number < best_patch)) {
        best = found;
        best_patch = number;
        best_level = levels.level;
        best_is_coarse = levels.wanted > params.finest;
    }
    return question_any != 0u && best_patch != 0xffffffffu ? -1.0 : best.t;
}

void descend(uint i) {
    Ray traced = ray_to_patches(i);
    best = PatchHit(traced.t_max, 0xffffffffu, vec2(0.0));
    visit_patches(traced, params.patch_count);
    hits.values[i] = best_patch == 0xffffffffu
                         ? hit_before(i)
                         : uvec4(floatBitsToUint(best.t), patch_number(best_patch),
                                 floatBitsToUint(best.at));
#if COUNTED
    levels.values[i] = best_patch == 0xffffffffu ? 0xffffffffu : best_level;
    if (best_patch != 0xffffffffu) atomicAdd(hit_count, 1u);
    if (best_is_coarse) atomicAdd(coarse_count, 1u);
#endif
}

void main() {
    uint i = ray_number(invocation_index(), params.ray_count);
#if COUNTED
    if (gl_LocalInvocationID.x == 0u) hit_count = coarse_count = 0u;
    barrier();
#endif
    if (i != kNoRay) descend(i);
#if COUNTED
    barrier();
    if (gl_LocalInvocationID.x != 0u) return;
    if (hit_count != 0u) atomicAdd(status.elements[0].hits, hit_count);
    if (coarse_count != 0u) atomicAdd(status.elements[0].coarse, coarse_count);
#endif
}
