// Boxes that may be turned, and whether two of them meet.
#ifndef COLLISION_BOX
#define COLLISION_BOX

// As in memory, `OrientedBox` of passes/collision/box.hpp; the fourth numbers are unused.
struct OrientedBox {
    vec4 middle;
    vec4 half_size;
    vec4 x;
    vec4 y;
};

struct Box {
    vec3 middle;
    vec3 half_size; // along the axes
    vec3 x;         // unit axes; the third is across both
    vec3 y;
};

Box box_of(OrientedBox box) {
    return Box(box.middle.xyz, box.half_size.xyz, box.x.xyz, box.y.xyz);
}

// A triangle's, flat: the first axis lies along the longest side.
Box triangle_box(vec3 a, vec3 b, vec3 c) {
    vec3 ab = b - a;
    vec3 bc = c - b;
    vec3 ca = a - c;
    vec3 along = ab;
    if (dot(bc, bc) > dot(along, along)) along = bc;
    if (dot(ca, ca) > dot(along, along)) along = ca;
    along = normalize(along);
    vec3 normal = cross(ab, bc);
    float size = length(normal);
    // A needle has no normal in floating point; its box then is a needle along its longest side.
    vec3 across = size > 0.0 ? cross(normal / size, along)
                             : cross(abs(along.x) < 0.5 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0),
                                     along);
    across = normalize(across);
    vec3 third = cross(along, across);
    mat3 axes = mat3(along, across, third);
    vec3 pa = a * axes;
    vec3 pb = b * axes;
    vec3 pc = c * axes;
    vec3 low = min(min(pa, pb), pc);
    vec3 high = max(max(pa, pb), pc);
    return Box(axes * (0.5 * (low + high)), 0.5 * (high - low), along, across);
}

// Whether no axis parts them: the three of each box, and the nine across one of both (S. Gottschalk,
// M. C. Lin and D. Manocha, "OBBTree", 1996). Boxes that are no farther than `slack` apart may be
// taken to meet; boxes that meet always are. Of parallel edges the axis across is none: `kParallel`
// keeps it from parting what the other axes do not.
bool boxes_meet(Box a, Box b, float slack) {
    const float kParallel = 1e-5;
    mat3 axes_a = mat3(a.x, a.y, cross(a.x, a.y));
    mat3 axes_b = mat3(b.x, b.y, cross(b.x, b.y));
    vec3 size_a = a.half_size + slack;
    vec3 size_b = b.half_size + slack;
    vec3 apart = (b.middle - a.middle) * axes_a; // in axes of a
    mat3 turned = transpose(axes_a) * axes_b;    // [j]: axis j of b in axes of a
    mat3 size = mat3(abs(turned[0]) + kParallel, abs(turned[1]) + kParallel,
                     abs(turned[2]) + kParallel);
    if (any(greaterThan(abs(apart), size_a + size * size_b))) return false;
    if (any(greaterThan(abs(apart * turned), size_b + size_a * size))) return false;
    for (int i = 0; i < 3; ++i) {
        int i1 = (i + 1) % 3;
        int i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            int j1 = (j + 1) % 3;
            int j2 = (j + 2) % 3;
            float distance = abs(apart[i2] * turned[j][i1] - apart[i1] * turned[j][i2]);
            float reach = size_a[i1] * size[j][i2] + size_a[i2] * size[j][i1] +
                          size_b[j1] * size[j2][i] + size_b[j2] * size[j1][i];
            if (distance > reach) return false;
        }
    }
    return true;
}

#endif
