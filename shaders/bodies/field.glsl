// Half-spaces, height fields and solids given by distances. The includer declares `geometry`.
#ifndef BODIES_FIELD
#define BODIES_FIELD
float packed_value(uint first, uint i) {
    return geometry.values[first + (i >> 2u)][i & 3u];
}

// Distance and its direction, in the field's frame. A height field's is that from the plane below the
// place.
vec4 heights_at(Shape field, vec3 p) {
    uvec2 points = floatBitsToUint(geometry.values[field.geometry].xy);
    vec2 spacing = 2.0 * field.size.xz / vec2(points - 1u);
    vec2 at = clamp((p.xz + field.size.xz) / spacing, vec2(0.0), vec2(points - 1u) - 1e-3);
    uvec2 cell = uvec2(at);
    vec2 share = at - vec2(cell);
    uint i = field.geometry + 1u;
    uint row = cell.y * points.x + cell.x;
    float a = packed_value(i, row);
    float b = packed_value(i, row + 1u);
    float c = packed_value(i, row + points.x);
    float d = packed_value(i, row + points.x + 1u);
    // Two triangles a cell.
    vec2 slope;
    float height;
    if (share.x + share.y < 1.0) {
        slope = vec2(b - a, c - a);
        height = a + dot(slope, share);
    } else {
        slope = vec2(d - c, d - b);
        height = d - dot(slope, 1.0 - share);
    }
    vec3 normal = normalize(vec3(-slope.x / spacing.x, 1.0, -slope.y / spacing.y));
    return vec4(normal, (p.y - height) * normal.y);
}

float distance_at(Shape field, uvec3 points, uvec3 cell) {
    return packed_value(field.geometry + 1u, cell.x + points.x * (cell.y + points.y * cell.z));
}

vec4 distances_at(Shape field, vec3 p) {
    uvec4 head = floatBitsToUint(geometry.values[field.geometry]);
    float spacing = uintBitsToFloat(head.w);
    vec3 inside = clamp(p, -field.size, field.size);
    vec3 at = min((inside + field.size) / spacing, vec3(head.xyz - 1u) - 1e-3);
    uvec3 cell = uvec3(at);
    vec3 t = at - vec3(cell);
    float v[8];
    for (uint k = 0u; k < 8u; ++k)
        v[k] = distance_at(field, head.xyz, cell + uvec3(k & 1u, k >> 1u & 1u, k >> 2u));
    vec4 along_x = vec4(mix(v[0], v[1], t.x), mix(v[2], v[3], t.x), mix(v[4], v[5], t.x),
                        mix(v[6], v[7], t.x));
    vec2 along_y = mix(along_x.xz, along_x.yw, t.y);
    vec3 gradient = vec3(mix(mix(v[1] - v[0], v[3] - v[2], t.y), mix(v[5] - v[4], v[7] - v[6], t.y), t.z),
                         mix(along_x.y - along_x.x, along_x.w - along_x.z, t.z),
                         along_y.y - along_y.x);
    float size = length(gradient);
    vec3 normal = size > 1e-12 ? gradient / size : vec3(0.0, 1.0, 0.0);
    float value = mix(along_y.x, along_y.y, t.z) + length(p - inside);
    return vec4(normal, value);
}

vec4 field_at(Shape field, vec3 p) {
    if (field.kind == kPlane) return vec4(0.0, 1.0, 0.0, p.y);
    if (field.kind == kHeights) return heights_at(field, p);
    return distances_at(field, p);
}
#endif
