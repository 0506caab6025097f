// Whether a node can be seen: its box against the view, and against the depths of a picture before.
// Needs tree.glsl, which includes this.
#ifndef TERRAIN_HIDDEN
#define TERRAIN_HIDDEN

struct Box {
    vec3 centre;
    vec3 half_size;
};

// First element of a level of the ranges of a picture: level m has ceil(size / 2^m) elements a side.
uint first_of_level(uvec2 size, uint level) {
    uint first = 0u;
    for (uint m = 0u; m < level; ++m) {
        uvec2 of_level = (size + (1u << m) - 1u) >> m;
        first += of_level.x * of_level.y;
    }
    return first;
}

// Of the ground a box, of other surfaces the cube about nine points.
Box box_of(Node node) {
    float side = uintBitsToFloat((127u - node.level) << 23u);
    SurfaceTerms terms = surface_terms();
    if (is_ground()) {
        vec2 low = vec2(node.cell) * side;
        vec2 y = ground_bounds(low, low + side, params.bounds, terms);
        vec3 a = surface_base(low, terms);
        vec3 b = surface_base(low + side, terms);
        vec3 centre = 0.5 * vec3(a.x + b.x, y.x + y.y, a.z + b.z);
        // For the rounding of whatever is drawn.
        vec3 allowance = 1e-6 * (abs(centre) + params.ground.x);
        return Box(centre, 0.5 * vec3(b.x - a.x, y.y - y.x, b.z - a.z) + allowance);
    }
    uint unit = 1u << (30u - node.level); // half a side
    uvec2 low = node.cell << (31u - node.level);
    vec3 centre = surface_at(node.face, low + unit, terms);
    float radius = 0.0;
    for (uint i = 0u; i < 9u; ++i) {
        uvec2 place = low + uvec2(i % 3u, i / 3u) * unit;
        radius = max(radius, distance(surface_at(node.face, place, terms), centre));
    }
    // A planet's mountains may lie between the points.
    float more = surface_kind == kSurfacePlanet ? params.bounds.y - params.bounds.x : 0.0;
    return Box(centre, vec3(1.25 * radius + min(more, 4.0 * radius)));
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
