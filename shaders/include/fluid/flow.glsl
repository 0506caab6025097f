// The velocity of a flow, linear between the middles of its cells; none in solids. After
// fluid/solid.glsl.

readonly buffer Flow { vec4 cells[]; } flow;

vec3 flow_in(ivec3 cell) {
    return flow.cells[cell_index(nearest_cell(cell))].xyz;
}

// `place` in cells of the flow; beyond the sides that are not periodic as at them.
vec3 flow_at(vec3 place) {
    // Far outside it makes no difference where, and whole numbers stay in their range.
    vec3 most = vec3(params.dims);
    vec3 from = clamp(place, -most, 2.0 * most) - 0.5;
    vec3 corner = floor(from);
    vec3 share = from - corner;
    bool flat_field = params.dims.z == 1;
    if (flat_field) corner.z = share.z = 0.0;
    vec3 sum = vec3(0.0);
    int corners = flat_field ? 4 : 8;
    for (int i = 0; i < corners; ++i) {
        ivec3 side = ivec3(i & 1, i >> 1 & 1, i >> 2);
        vec3 part = mix(1.0 - share, share, vec3(side));
        sum += part.x * part.y * part.z * flow_in(ivec3(corner) + side);
    }
    return sum;
}
