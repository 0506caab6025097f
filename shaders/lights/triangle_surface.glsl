// The surface of a known triangle at a place on it. C++: `bind_surfaces` of
// passes/raytrace/surfaces.hpp.
#include "raytrace/surface.glsl"

vec3 world_corner(uint draw, uint index) {
    uint vertex = uint(int(scene_indices.values[index]) + draws.elements[draw].vertex_offset);
    return (transforms.elements[draws.elements[draw].transform].world *
            vec4(vertices.elements[vertex].position, 1.0)).xyz;
}

// `direction`: of the view ray. Textures are looked up at their finest level.
Surface triangle_surface(uint triangle, vec3 place, vec3 direction, ivec4 texture_ids[3]) {
    uint draw = owners.values[triangle];
    uint first = draws.elements[draw].first_index + 3u * (triangle - starts.values[draw].y);
    vec3 a = world_corner(draw, first);
    vec3 edge_b = world_corner(draw, first + 1u) - a;
    vec3 edge_c = world_corner(draw, first + 2u) - a;
    vec3 across = cross(edge_b, edge_c);
    float area = max(dot(across, across), 1e-36);
    Hit hit;
    hit.t = 0.0;
    hit.triangle = triangle;
    hit.barycentric = vec2(dot(cross(place - a, edge_c), across),
                           dot(cross(edge_b, place - a), across)) / area;
    hit.instance = kNoInstance;
    return surface_at(hit, direction, 0.0, texture_ids);
}
