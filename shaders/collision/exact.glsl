// Triangles on a lattice: what is asked of them is answered exactly, in integers, the same on every
// device. Coordinates are within +-(2^22 + 1), so their differences take 24 bits with the sign, the
// numbers of a cross product 48, and a determinant 73.
#ifndef COLLISION_EXACT
#define COLLISION_EXACT

struct Wide { // an integer of 64 bits
    int high;
    uint low;
};

Wide wide_product(int a, int b) {
    int high;
    int low;
    imulExtended(a, b, high, low);
    return Wide(high, uint(low));
}

Wide wide_sum(Wide a, Wide b) {
    uint carry;
    uint low = uaddCarry(a.low, b.low, carry);
    return Wide(a.high + b.high + int(carry), low);
}

Wide wide_difference(Wide a, Wide b) {
    uint borrow;
    uint low = usubBorrow(a.low, b.low, borrow);
    return Wide(a.high - b.high - int(borrow), low);
}

int wide_sign(Wide a) {
    return a.high < 0 ? -1 : int((uint(a.high) | a.low) != 0u);
}

// a d - b c
Wide minor(int a, int b, int c, int d) {
    return wide_difference(wide_product(a, d), wide_product(b, c));
}

// A cross product: high * 2^24 + low, with low from 0 to 2^24 - 1.
struct Normal {
    ivec3 high;
    ivec3 low;
};

const uint kLowBits = 24u;
const uint kLowMask = 0xffffffu;

Normal normal_of(ivec3 u, ivec3 v) {
    Wide x = minor(u.y, u.z, v.y, v.z);
    Wide y = minor(u.z, u.x, v.z, v.x);
    Wide z = minor(u.x, u.y, v.x, v.y);
    ivec3 high = ivec3((x.high << 8) | int(x.low >> kLowBits), (y.high << 8) | int(y.low >> kLowBits),
                       (z.high << 8) | int(z.low >> kLowBits));
    return Normal(high, ivec3(x.low & kLowMask, y.low & kLowMask, z.low & kLowMask));
}

bool is_zero(Normal n) {
    return n.high == ivec3(0) && n.low == ivec3(0);
}

int component_sign(Normal n, int axis) {
    return n.high[axis] != 0 ? sign(n.high[axis]) : sign(n.low[axis]);
}

// The sign of dot(n, d).
int side(Normal n, ivec3 d) {
    Wide high = wide_sum(wide_sum(wide_product(n.high.x, d.x), wide_product(n.high.y, d.y)),
                         wide_product(n.high.z, d.z));
    Wide low = wide_sum(wide_sum(wide_product(n.low.x, d.x), wide_product(n.low.y, d.y)),
                        wide_product(n.low.z, d.z));
    Wide carried = Wide(low.high >> kLowBits, uint(low.high << 8) | (low.low >> kLowBits));
    int above = wide_sign(wide_sum(high, carried));
    return above != 0 ? above : int((low.low & kLowMask) != 0u);
}

struct Triangle {
    ivec3 corners[3];
};

bool has_no_area(Triangle t) {
    return is_zero(normal_of(t.corners[1] - t.corners[0], t.corners[2] - t.corners[0]));
}

// On which side of each edge of a triangle a point of its plane is: the sign of the area that the
// edge and the point span, seen along an axis.
int side_2d(ivec2 from, ivec2 to, ivec2 point) {
    return wide_sign(minor(to.x - from.x, to.y - from.y, point.x - from.x, point.y - from.y));
}

ivec2 dropped(ivec3 point, int axis) {
    return axis == 0 ? point.yz : axis == 1 ? point.zx : point.xy;
}

// Whether an edge of `a` parts two triangles of a plane. `orientation` is that of `a`, and what only
// touches is parted where `insides`.
bool is_parted(Triangle a, Triangle b, int axis, int orientation, bool insides) {
    for (int i = 0; i < 3; ++i) {
        ivec2 from = dropped(a.corners[i], axis);
        ivec2 to = dropped(a.corners[(i + 1) % 3], axis);
        int farthest = -1;
        for (int j = 0; j < 3; ++j)
            farthest = max(farthest, orientation * side_2d(from, to, dropped(b.corners[j], axis)));
        if (insides ? farthest <= 0 : farthest < 0) return true;
    }
    return false;
}

// Two triangles of one plane, whose normals are not zero.
bool flat_triangles_meet(Triangle a, Triangle b, Normal normal_a, Normal normal_b, bool insides) {
    int axis = component_sign(normal_a, 0) != 0 ? 0 : component_sign(normal_a, 1) != 0 ? 1 : 2;
    return !is_parted(a, b, axis, component_sign(normal_a, axis), insides) &&
           !is_parted(b, a, axis, component_sign(normal_b, axis), insides);
}

bool one_sided(ivec3 sides) {
    return all(greaterThan(sides, ivec3(0))) || all(lessThan(sides, ivec3(0)));
}

// Whether an edge goes from one side of a plane to the other, or ends there, but does not lie in it.
bool crosses(int from, int to) {
    return from * to <= 0 && (from != 0 || to != 0);
}

// The edges that have one corner less than the triangles share: all, the one across the corner that
// is shared, none. `apart` has the bit of each corner that the other triangle does not have.
bool is_asked(int edge, uint apart) {
    uint both = (1u << uint(edge)) | (1u << uint((edge + 1) % 3));
    return (apart & both) == both;
}

// Whether two triangles with areas have a point in common. Corners at the same place are the same
// corner, which makes neighbours of triangles: where `neighbours`, these meet only where they have
// more in common than what follows from that: an edge beyond the shared corner goes through the
// other triangle, or in one plane their insides overlap.
bool triangles_meet(Triangle a, Triangle b, bool neighbours) {
    Normal normal_a = normal_of(a.corners[1] - a.corners[0], a.corners[2] - a.corners[0]);
    Normal normal_b = normal_of(b.corners[1] - b.corners[0], b.corners[2] - b.corners[0]);
    ivec3 sides_a; // of the plane of b
    ivec3 sides_b;
    for (int i = 0; i < 3; ++i) {
        sides_a[i] = side(normal_b, a.corners[i] - b.corners[0]);
        sides_b[i] = side(normal_a, b.corners[i] - a.corners[0]);
    }
    if (one_sided(sides_a) || one_sided(sides_b)) return false;

    uint apart_a = 7u;
    uint apart_b = 7u;
    for (int i = 0; neighbours && i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (a.corners[i] == b.corners[j]) {
                apart_a &= ~(1u << uint(i));
                apart_b &= ~(1u << uint(j));
            }
    if (sides_a == ivec3(0))
        return flat_triangles_meet(a, b, normal_a, normal_b, apart_a != 7u);

    // Which way edge i of a passes edge j of b.
    bool left_a[3] = bool[3](false, false, false);
    bool right_a[3] = bool[3](false, false, false);
    bool left_b[3] = bool[3](false, false, false);
    bool right_b[3] = bool[3](false, false, false);
    for (int i = 0; i < 3; ++i) {
        ivec3 from = a.corners[i];
        ivec3 along = a.corners[(i + 1) % 3] - from;
        for (int j = 0; j < 3; ++j) {
            int passes = side(normal_of(along, b.corners[j] - from), b.corners[(j + 1) % 3] - from);
            left_a[i] = left_a[i] || passes > 0;
            right_a[i] = right_a[i] || passes < 0;
            left_b[j] = left_b[j] || passes > 0;
            right_b[j] = right_b[j] || passes < 0;
        }
    }
    for (int i = 0; i < 3; ++i) {
        int next = (i + 1) % 3;
        if (is_asked(i, apart_a) && crosses(sides_a[i], sides_a[next]) && !(left_a[i] && right_a[i]))
            return true;
        if (is_asked(i, apart_b) && crosses(sides_b[i], sides_b[next]) && !(left_b[i] && right_b[i]))
            return true;
    }
    return false;
}

#endif
