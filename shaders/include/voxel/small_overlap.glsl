// The same as overlap.glsl for triangles that span kSmall voxels at most along each axis: all
// numbers fit 32 bits. After overlap.glsl.
//
// Coordinates are below 2^12 and a coordinate of the normal is twice the area of a projection of the
// triangle, which is no more than that of its bounding square: 2^24.

const int kSmall = 15;

struct SmallOverlap {
    ivec3 edges[3];
    ivec3 sense;
    int bases[9];
    ivec3 normal;
    int above;
    int below;
};

bool is_small(Box whole) {
    return all(lessThan(whole.high - whole.low, ivec3(kSmall)));
}

int small_cross(ivec2 a, ivec2 b) {
    return a.x * b.y - a.y * b.x;
}

// How far a voxel reaches along the normal: x + y / 256 whole voxels.
ivec2 small_reach(ivec3 normal) {
    ivec3 up = max(normal, ivec3(0));
    if (kThin == 0u) return ivec2(up.x + up.y + up.z, 0);
    ivec3 size = abs(normal);
    int twice = normal.x + normal.y + normal.z + max(size.x, max(size.y, size.z));
    return ivec2(twice >> 1, (twice & 1) << 7);
}

int small_reach(ivec2 normal) {
    ivec2 size = abs(normal);
    return kThin == 0u ? 256 * (max(normal.x, 0) + max(normal.y, 0))
                       : 128 * (normal.x + normal.y + max(size.x, size.y));
}

// For corners relative to the voxel from which b is counted.
SmallOverlap small_overlap_of(Corners t) {
    SmallOverlap o;
    ivec3 v[3] = ivec3[3](t.a, t.b, t.c);
    ivec3 crosses[3];
    for (int i = 0; i < 3; ++i) {
        ivec3 from = v[i];
        ivec3 to = v[(i + 1) % 3];
        o.edges[i] = to - from;
        crosses[i] = ivec3(small_cross(from.yz, to.yz), small_cross(from.zx, to.zx),
                           small_cross(from.xy, to.xy));
    }
    o.normal = crosses[0] + crosses[1] + crosses[2];
    o.sense = mix(ivec3(1), ivec3(-1), lessThan(o.normal, ivec3(0)));
    for (int i = 0; i < 3; ++i) {
        ivec3 d = o.edges[i];
        o.bases[3 * i] = o.sense.x * crosses[i].x + small_reach(o.sense.x * ivec2(-d.z, d.y)) >> 8;
        o.bases[3 * i + 1] =
            o.sense.y * crosses[i].y + small_reach(o.sense.y * ivec2(-d.x, d.z)) >> 8;
        o.bases[3 * i + 2] =
            o.sense.z * crosses[i].z + small_reach(o.sense.z * ivec2(-d.y, d.x)) >> 8;
    }
    // normal * a / 256 from the whole voxels of a and the rest; of that, products with the upper and
    // lower part of the normal by themselves, for together they take more than 32 bits.
    ivec3 voxels = t.a >> 8;
    ivec3 rest = t.a & 255;
    ivec3 upper = o.normal >> 8;
    ivec3 lower = o.normal & 255;
    int whole = o.normal.x * voxels.x + o.normal.y * voxels.y + o.normal.z * voxels.z +
                upper.x * rest.x + upper.y * rest.y + upper.z * rest.z;
    int part = lower.x * rest.x + lower.y * rest.y + lower.z * rest.z;
    ivec2 front = small_reach(o.normal);
    ivec2 back = small_reach(-o.normal);
    o.above = front.x - whole + (front.y - part >> 8);
    o.below = back.x + whole + (back.y + part >> 8);
    return o;
}

// Quotients beyond this are those of no voxel of the box.
const float kMostSmall = 64.0;

// A divisor that is used again and again; with inverse 0 where it is 0.
struct Divisor {
    int size; // without its sign
    float inverse;
    int sense;
};

Divisor divisor_of(int slope) {
    int size = abs(slope);
    return Divisor(size, size == 0 ? 0.0 : 1.0 / float(size), sign(slope));
}

// The whole numbers n of the interval for which slope * n + base >= 0.
void bound(inout ivec2 interval, Divisor slope, int base) {
    if (slope.sense == 0) {
        if (base < 0) interval.y = interval.x - 1;
        return;
    }
    int q = int(floor(clamp(float(base) * slope.inverse, -kMostSmall, kMostSmall)));
    if (abs(q) < int(kMostSmall) - 1) { // otherwise q * size might overflow
        int rest = base - q * slope.size;
        q += rest < 0 ? -1 : rest >= slope.size ? 1 : 0;
    }
    if (slope.sense > 0) interval.x = max(interval.x, -q);
    else interval.y = min(interval.y, q);
}
