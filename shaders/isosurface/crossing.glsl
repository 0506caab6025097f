// Where the surface cuts an edge of the lattice, and which way it looks there.
#ifndef ISOSURFACE_CROSSING
#define ISOSURFACE_CROSSING

#include "cases.glsl"
#include "grid.glsl"

// By central differences; one-sided at the border, and beside texels that are no numbers.
vec3 smooth_gradient(ivec3 texel) {
    vec3 gradient = vec3(0.0);
    for (uint axis = 0u; axis < 3u; ++axis) {
        ivec3 ahead = min(texel + unit_step(axis), params.dims - 1);
        ivec3 back = max(texel - unit_step(axis), ivec3(0));
        float highest = height_of(ahead);
        float lowest = height_of(back);
        if (!is_number(highest)) {
            ahead = texel;
            highest = height_of(texel);
        }
        if (!is_number(lowest)) {
            back = texel;
            lowest = height_of(texel);
        }
        int steps = ahead[axis] - back[axis];
        float rise = highest - lowest;
        if (steps > 0 && is_number(rise))
            gradient[axis] = rise / (float(steps) * texel_step()[axis]);
    }
    return gradient;
}

SurfacePoint smooth_crossing(ivec3 point, uint axis) {
    ivec3 end = point + unit_step(axis);
    float a = field_at(point);
    float b = field_at(end);
    precise float share = a / (a - b);
    vec3 at = vec3(point);
    at[axis] += share;
    precise vec3 from_a = (1.0 - share) * smooth_gradient(nearest_texel(point));
    precise vec3 from_b = share * smooth_gradient(nearest_texel(end));
    vec3 out_of_a = vec3(unit_step(axis)) * (a > 0.0 ? 1.0 : -1.0);
    return SurfacePoint(place_of(at), unit_or(-(from_a + from_b), out_of_a));
}

// The vertex in the middle of a loop that cannot be cut into triangles without an edge in a face of
// its cell: the mean of the loop's vertices.
SurfacePoint middle_crossing(ivec3 point, uvec2 entry) {
    // Triangles about the middle begin with it, and have each edge of its loop second once.
    precise vec3 place = vec3(0.0);
    vec3 normal = vec3(0.0);
    float count = 0.0;
    for (uint i = 0u; i < triangles_of(entry); ++i) {
        uvec3 edges = case_triangle(entry, i);
        if (edges.x != kCentre) continue;
        SurfacePoint at =
            smooth_crossing(point + corner_step(edge_corner(edges.y)), edges.y >> 2);
        place += at.place;
        normal += at.normal;
        count += 1.0;
    }
    place /= count;
    return SurfacePoint(place, unit_or(normal, vec3(0.0, 0.0, 1.0)));
}

#endif
