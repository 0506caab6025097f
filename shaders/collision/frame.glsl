// Where the second mesh lies seen from the first, and the lattice that both are on.
#ifndef COLLISION_FRAME
#define COLLISION_FRAME

struct PairFrame {
    vec4 rows[3]; // from the second mesh's coordinates to the first's
    vec3 middle;  // of the lattice
    float scale;  // steps a unit: a power of two
    float slack;  // by how much boxes are enlarged: more than what rounding moves
    uint is_rigid;
    vec2 unused;
};

vec3 moved(vec4 rows[3], vec3 point) {
    precise vec3 result;
    for (int i = 0; i < 3; ++i)
        result[i] = ((rows[i].x * point.x + rows[i].y * point.y) + rows[i].z * point.z) + rows[i].w;
    return result;
}

vec3 turned(vec4 rows[3], vec3 direction) {
    return vec3(dot(rows[0].xyz, direction), dot(rows[1].xyz, direction),
                dot(rows[2].xyz, direction));
}

ivec3 lattice_point(PairFrame frame, vec3 point) {
    precise vec3 steps = (point - frame.middle) * frame.scale;
    return ivec3(floor(steps + 0.5));
}

#endif
