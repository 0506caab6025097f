// Voxels seen along an axis: the picture's texels are columns of the grid.
layout(constant_id = 0) const uint kAxis = 2u; // 0: along x, 1: along y, 2: along z

// A grid's coordinates as (right, down, away).
ivec3 to_view(ivec3 p) {
    return kAxis == 0u ? p.yzx : kAxis == 1u ? p.xzy : p;
}

vec3 to_view(vec3 p) {
    return kAxis == 0u ? p.yzx : kAxis == 1u ? p.xzy : p;
}

uvec3 from_view(uvec3 p) {
    return kAxis == 0u ? p.zxy : kAxis == 1u ? p.xzy : p;
}
