// Which spheres may be seen through a tile. The kernel's Params have vec3
// eye, first, per_x, per_y; uvec2 size; uint spheres, tile, tiles_per_row, parent_scale,
// parents_per_row, parent_entries.

layout(constant_id = 0) const uint has_parents = 0u; // 1: candidates are those of a larger tile

readonly buffer Balls { vec4 values[]; } balls;
readonly buffer Dropped { uint values[]; } dropped;
readonly buffer ParentCounts { uint values[]; } parent_counts;
readonly buffer ParentStarts { uint values[]; } parent_starts;
readonly buffer ParentSpheres { uint values[]; } parent_spheres;

// The pyramid of a tile's rays: its four sides, and the narrowest cone about its middle.
struct Pyramid {
    vec3 sides[4]; // unit normals that look inwards
    vec3 axis;
    float cosine;
    float sine;
};

vec3 inwards(vec3 normal, vec3 axis) {
    normal = normalize(normal);
    return dot(normal, axis) < 0.0 ? -normal : normal;
}

Pyramid pyramid_of(uvec2 tile) {
    vec2 low = vec2(tile * params.tile);
    vec2 high = min(low + float(params.tile), vec2(params.size));
    vec2 texels[4] = vec2[](low, vec2(high.x, low.y), high, vec2(low.x, high.y));
    vec3 corners[4];
    for (int k = 0; k < 4; ++k)
        corners[k] = ray_through(texels[k], params.first, params.per_x, params.per_y);
    Pyramid pyramid;
    pyramid.axis = normalize(corners[0] + corners[1] + corners[2] + corners[3]);
    pyramid.cosine = 1.0;
    for (int k = 0; k < 4; ++k) {
        pyramid.sides[k] = inwards(cross(corners[k], corners[(k + 1) & 3]), pyramid.axis);
        pyramid.cosine = min(pyramid.cosine, dot(pyramid.axis, corners[k]));
    }
    pyramid.sine = sqrt(max(1.0 - pyramid.cosine * pyramid.cosine, 0.0));
    return pyramid;
}

// Never false for a sphere that a ray of the tile meets.
bool may_meet(Pyramid pyramid, vec4 ball) {
    vec3 centre = ball.xyz - params.eye;
    float away = length(centre);
    float reach = ball.w * 1.00001 + away * 1e-5; // rounding of the sides' normals
    for (int k = 0; k < 4; ++k)
        if (dot(pyramid.sides[k], centre) < -reach) return false;
    float along = dot(centre, pyramid.axis);
    float across = sqrt(max(away * away - along * along, 0.0));
    // Behind the apex the apex is the nearest point of the cone.
    if (along * pyramid.cosine + across * pyramid.sine < 0.0) return away <= reach;
    return across * pyramid.cosine - along * pyramid.sine <= reach;
}

uint tile_number() {
    return gl_WorkGroupID.y * params.tiles_per_row + gl_WorkGroupID.x;
}

struct Candidates {
    uint first;
    uint count;
    bool listed;
};

Candidates candidates_of(uvec2 tile) {
    uint all = params.spheres - min(dropped.values[0], params.spheres);
    if (has_parents == 0u) return Candidates(0u, all, false);
    uvec2 parent = tile / params.parent_scale;
    uint number = parent.y * params.parents_per_row + parent.x;
    uint first = parent_starts.values[number];
    uint count = parent_counts.values[number];
    if (first + count > params.parent_entries) return Candidates(0u, all, false);
    return Candidates(first, count, true);
}

uint candidate(Candidates candidates, uint i) {
    return candidates.listed ? parent_spheres.values[candidates.first + i] : i;
}
