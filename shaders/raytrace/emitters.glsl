// Choosing points on emitting triangles by how much light each gives: sums of weights up to and with
// each triangle, behind those of the surroundings. Before the include, declare the members
// `uint emitter_offset` and `uint emitter_triangles` of `Params`; include raytrace/surface.glsl and
// raytrace/environment_table.glsl.
layout(constant_id = 1) const uint lit_by_emitters = 0u; // 1: there are some

float emitter_sum(uint triangle) {
    return environment_sums.values[params.emitter_offset + triangle];
}

float emitter_total() {
    return emitter_sum(params.emitter_triangles - 1u);
}

// The share of the points chosen that lie on a triangle.
float emitter_chance(uint triangle) {
    float below = triangle > 0u ? emitter_sum(triangle - 1u) : 0.0;
    return (emitter_sum(triangle) - below) / emitter_total();
}

struct Placed {
    vec3 a;
    vec3 b;
    vec3 c;
};

Placed placed_triangle(uint triangle) {
    uint draw = owners.values[triangle];
    uint first = draws.elements[draw].first_index + 3u * (triangle - starts.values[draw].y);
    int offset = draws.elements[draw].vertex_offset;
    mat4 world = transforms.elements[draws.elements[draw].transform].world;
    vec3 corners[3];
    for (uint i = 0u; i < 3u; ++i) {
        uint vertex = uint(int(scene_indices.values[first + i]) + offset);
        corners[i] = (world * vec4(vertices.elements[vertex].position, 1.0)).xyz;
    }
    return Placed(corners[0], corners[1], corners[2]);
}

// Density by solid angle, as seen from the other end of `to`, of a point that was chosen on a
// triangle; 0 where such points cannot be chosen. `to` ends at the point.
float emitter_density(uint triangle, vec3 to) {
    Placed corners = placed_triangle(triangle);
    vec3 area = 0.5 * cross(corners.b - corners.a, corners.c - corners.a);
    // The cosine at the emitter times its area: both of its sides shine.
    float seen = abs(dot(area, to)) / max(length(to), 1e-30);
    return seen > 0.0 ? emitter_chance(triangle) * dot(to, to) / seen : 0.0;
}

struct EmitterPoint {
    uint triangle;
    vec3 position;
    vec3 radiance;
};

EmitterPoint emitter_point(vec3 u) {
    float wanted = u.x * emitter_total();
    uint first = 0u;
    uint end = params.emitter_triangles - 1u;
    while (first < end) { // the first triangle whose sum is more
        uint middle = first + (end - first) / 2u;
        if (emitter_sum(middle) > wanted)
            end = middle;
        else
            first = middle + 1u;
    }
    Placed corners = placed_triangle(first);
    float root = sqrt(u.y); // evenly over the triangle
    EmitterPoint point;
    point.triangle = first;
    point.position = (1.0 - root) * corners.a + root * (1.0 - u.z) * corners.b +
                     root * u.z * corners.c;
    uint quad = kMaterialQuads * draws.elements[owners.values[first]].material;
    point.radiance = uintBitsToFloat(materials.quads[quad + 1u].xyz);
    return point;
}
