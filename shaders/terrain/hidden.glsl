// Whether a node can be seen: its box against the view, and against the depths of a picture before.
// Needs tree.glsl, which includes this.
#ifndef TERRAIN_HIDDEN
#define TERRAIN_HIDDEN

struct Box {
    vec3 centre;
    vec3 half_size;
};

// First element of a level of the map's ranges: level m has ceil(size / 2^m) elements a side.
uint first_of_level(uvec2 size, uint level) {
    uint first = 0u;
    for (uint m = 0u; m < level; ++m) {
        uvec2 of_level = (size + (1u << m) - 1u) >> m;
        first += of_level.x * of_level.y;
    }
    return first;
}

// Least and greatest height of the map in a node, or of a little more than the node.
vec2 range_of(Node node) {
    if (surface_kind != kSurfaceHeights || has_ranges == 0u) return params.bounds;
    float side = uintBitsToFloat((127u - node.level) << 23u);
    vec2 last = vec2(params.map_size - 1u);
    vec2 from = vec2(node.cell) * side * last;
    vec2 to = (vec2(node.cell) + 1.0) * side * last;
    // A texel more where rounding may have crossed one.
    uvec2 low = uvec2(clamp(floor(from - 1e-3), vec2(0.0), last));
    uvec2 high = uvec2(clamp(ceil(to + 1e-3), vec2(0.0), last));
    uint widest = max(high.x - low.x, high.y - low.y);
    uint level = widest == 0u ? 0u : uint(findMSB(widest)) + 1u;
    if (widest == 1u) level = 0u;
    uint first = first_of_level(params.map_size, level);
    uint row = (params.map_size.x + (1u << level) - 1u) >> level;
    low >>= level;
    high >>= level;
    vec2 a = ranges.values[first + low.y * row + low.x];
    vec2 b = ranges.values[first + low.y * row + high.x];
    vec2 c = ranges.values[first + high.y * row + low.x];
    vec2 d = ranges.values[first + high.y * row + high.x];
    vec2 found = vec2(min(min(a.x, b.x), min(c.x, d.x)), max(max(a.y, b.y), max(c.y, d.y)));
    vec2 y = found * params.ground.y + params.ground.z;
    return vec2(min(y.x, y.y), max(y.x, y.y));
}

// The middle of a box of the ground, or a sphere's about nine points of another surface.
Box box_of(Node node) {
    float side = uintBitsToFloat((127u - node.level) << 23u);
    vec2 low = vec2(node.cell) * side;
    SurfaceTerms terms = surface_terms();
    if (surface_kind == kSurfaceHeights) {
        vec2 y = range_of(node);
        vec3 a = surface_base(low, terms);
        vec3 b = surface_base(low + side, terms);
        vec3 centre = 0.5 * vec3(a.x + b.x, y.x + y.y, a.z + b.z);
        // For the rounding of whatever is drawn.
        vec3 allowance = 1e-6 * (abs(centre) + params.ground.x);
        return Box(centre, 0.5 * vec3(b.x - a.x, y.y - y.x, b.z - a.z) + allowance);
    }
    vec3 centre = surface_point(low + 0.5 * side, terms);
    float radius = 0.0;
    for (uint i = 0u; i < 9u; ++i) {
        vec2 uv = low + 0.5 * side * vec2(float(i % 3u), float(i / 3u));
        radius = max(radius, distance(surface_point(uv, terms), centre));
    }
    return Box(centre, vec3(1.25 * radius));
}

bool is_outside(Box box) {
    for (uint i = 0u; i < 6u; ++i) {
        vec4 plane = params.planes[i];
        if (dot(plane.xyz, box.centre) + dot(abs(plane.xyz), box.half_size) < -plane.w) return true;
    }
    return false;
}

// Whether the picture before had something nearer all over where the box was.
bool is_behind(Box box) {
    if (has_hidden_by == 0u) return false;
    vec2 low = vec2(1.0);
    vec2 high = vec2(-1.0);
    float nearest = 1.0;
    for (uint i = 0u; i < 8u; ++i) {
        vec3 corner = box.centre + box.half_size * (vec3(i & 1u, i >> 1u & 1u, i >> 2u) * 2.0 - 1.0);
        vec4 clip = seen_view.clip_from_world * vec4(corner, 1.0);
        if (!(clip.w > 0.0) || clip.z < 0.0) return false;
        vec3 at = clip.xyz / clip.w;
        low = min(low, at.xy);
        high = max(high, at.xy);
        nearest = min(nearest, at.z);
    }
    // What the picture does not show, it does not hide.
    if (any(lessThan(low, vec2(-1.0))) || any(greaterThan(high, vec2(1.0)))) return false;
    vec2 last = vec2(params.seen_size - 1u);
    uvec2 first = uvec2(clamp(floor((low * 0.5 + 0.5) * vec2(params.seen_size) - 0.5), vec2(0.0), last));
    uvec2 end = uvec2(clamp(floor((high * 0.5 + 0.5) * vec2(params.seen_size) + 0.5), vec2(0.0), last));
    uint widest = max(end.x - first.x, end.y - first.y);
    uint level = widest < 2u ? 0u : uint(findMSB(widest)) + 1u;
    uint start = first_of_level(params.seen_size, level);
    uint row = (params.seen_size.x + (1u << level) - 1u) >> level;
    first >>= level;
    end >>= level;
    float farthest = 0.0;
    for (uint i = 0u; i < 4u; ++i) {
        uvec2 at = uvec2((i & 1u) == 0u ? first.x : end.x, i < 2u ? first.y : end.y);
        farthest = max(farthest, hidden_by.values[start + at.y * row + at.x].y);
    }
    return nearest > farthest;
}

bool is_hidden(Node node) {
    if (drop == 0u) return false;
    Box box = box_of(node);
    return is_outside(box) || is_behind(box);
}

#endif
