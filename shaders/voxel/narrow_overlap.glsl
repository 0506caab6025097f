// The same as overlap.glsl for triangles no larger than kNarrow voxels: edge functions fit 32 bits.
// Many invocations read the numbers of a triangle from shared memory.

struct NarrowOverlap {
    ivec3 edges[3];
    ivec3 sense;
    int bases[9];
    uvec2 normal[3];
    uvec2 above;
    uvec2 below;
};

ivec2 met_in_row(NarrowOverlap o, ivec2 b, int depth) {
    for (int i = 0; i < 3; ++i) {
        ivec3 d = o.edges[i];
        if (o.sense.z * (d.x * b.y - d.y * b.x) + o.bases[3 * i + 2] < 0) return ivec2(0, -1);
    }
    ivec2 interval = ivec2(0, depth - 1);
    for (int i = 0; i < 3; ++i) {
        ivec3 d = o.edges[i];
        bound(interval, o.sense.x * d.y, o.bases[3 * i] - o.sense.x * d.z * b.y);
        bound(interval, -o.sense.y * d.x, o.bases[3 * i + 1] + o.sense.y * d.z * b.x);
    }
    uvec2 value = add(multiply(o.normal[0], b.x), multiply(o.normal[1], b.y));
    bound(interval, o.normal[2], add(value, o.above));
    bound(interval, negate(o.normal[2]), subtract(o.below, value));
    return interval;
}
