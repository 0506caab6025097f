// Triangles whose rows of voxels the invocations of a group share out among themselves: what of each
// is kept in the shared array `kept`. After narrow_overlap.glsl and set_voxels.glsl.

// The words in which a row is kept, by what they hold.
const uint kCorners = 0u;
const uint kBases = 9u;
const uint kNormal = 18u;
const uint kPlane = 24u;
const uint kPlace = 28u;

void keep_corners(uint t, Corners local) {
    for (int axis = 0; axis < 3; ++axis) {
        kept[kCorners + uint(axis)][t] = local.a[axis];
        kept[kCorners + 3u + uint(axis)][t] = local.b[axis];
        kept[kCorners + 6u + uint(axis)][t] = local.c[axis];
    }
}

void keep_box(uint t, Box box) {
    kept[kPlace][t] = box.low.x | box.low.y << 16;
    kept[kPlace + 1u][t] = box.low.z | (box.high.z - box.low.z + 1) << 16;
    kept[kPlace + 2u][t] = box.high.y - box.low.y + 1;
}

void keep(uint t, Corners local, Overlap o, Box box) {
    keep_corners(t, local);
    for (int axis = 0; axis < 3; ++axis) {
        kept[kNormal + 2u * uint(axis)][t] = int(o.normal[axis].x);
        kept[kNormal + 2u * uint(axis) + 1u][t] = int(o.normal[axis].y);
    }
    for (int i = 0; i < 9; ++i) kept[kBases + uint(i)][t] = int(o.bases[i].x);
    kept[kPlane][t] = int(o.above.x);
    kept[kPlane + 1u][t] = int(o.above.y);
    kept[kPlane + 2u][t] = int(o.below.x);
    kept[kPlane + 3u][t] = int(o.below.y);
    keep_box(t, box);
}

ivec3 kept_corner(uint i, uint t) {
    return ivec3(kept[kCorners + 3u * i][t], kept[kCorners + 3u * i + 1u][t],
                 kept[kCorners + 3u * i + 2u][t]);
}

uvec2 kept_wide(uint i, uint t) {
    return uvec2(uint(kept[i][t]), uint(kept[i + 1u][t]));
}

NarrowOverlap kept_overlap(uint t) {
    NarrowOverlap o;
    ivec3 a = kept_corner(0u, t);
    ivec3 b = kept_corner(1u, t);
    ivec3 c = kept_corner(2u, t);
    o.edges = ivec3[3](b - a, c - b, a - c);
    for (int axis = 0; axis < 3; ++axis) {
        o.normal[axis] = kept_wide(kNormal + 2u * uint(axis), t);
        o.sense[axis] = is_negative(o.normal[axis]) ? -1 : 1;
    }
    for (int i = 0; i < 9; ++i) o.bases[i] = kept[kBases + uint(i)][t];
    o.above = kept_wide(kPlane, t);
    o.below = kept_wide(kPlane + 2u, t);
    return o;
}

void set_row(uint t, uint row) {
    int height = kept[kPlace + 2u][t];
    // Rows and heights are below 2^12: exact, but for the rounding that half a row makes harmless.
    int x = int((float(row) + 0.5) / float(height));
    int y = int(row) - x * height;
    int place = kept[kPlace][t];
    int deep = kept[kPlace + 1u][t];
    ivec2 met = met_in_row(kept_overlap(t), ivec2(x, y), deep >> 16);
    if (met.x > met.y) return;
    met += deep & 0xffff;
    uint first = row_of(params.dims, uint((place & 0xffff) + x), uint((place >> 16) + y));
    set_interval(first, uvec2(met));
}
