// Cosserat rods: each edge has a frame, whose x axis the edge follows (stretch and shear), and
// neighbouring frames keep the rotation that they have at rest (bend and twist): Kugelstadt and
// Schoemer, "Position and Orientation Based Cosserat Rods", SCA 2016. Frames follow at once, without
// inertia of their own. Compliance is that of XPBD (Macklin, Mueller and Chentanez, 2016): what an edge has
// pulled in all iterations of a sub-step counts, so how far it gives way does not depend on their number.
#ifndef HAIR_TWIST
#define HAIR_TWIST

float turn_weight(uint edge) {
    return edge == 0u ? 0.0 : 1.0;
}

// Where `pulls` has what an edge's stretch (0) or bend (1) has pulled so far.
uint pull_index(uint column, uint edge, uint which) {
    return 2u * group_begin * kVertices + (which * kVertices + edge) * group_strands + column;
}

void keep_stretch(uint column, uint edge) {
    uint strand = group_begin + column;
    float rest_here = rest_length(column, edge);
    float low = weight_of(edge);
    float high = weight_of(edge + 1u);
    if (!(rest_here > 0.0) || low + high == 0.0) return;
    vec4 turn = turns.values[strand * kVertices + edge];
    vec3 a = place_of(column, edge);
    vec3 b = place_of(column, edge + 1u);
    vec3 strain = (b - a) / rest_here - turned(turn, vec3(1.0, 0.0, 0.0));
    float spin = turn_weight(edge) * 4.0 * rest_here;
    if (params.compliance > 0.0) {
        uint pulled = pull_index(column, edge, 0u);
        vec3 so_far = pulls.values[pulled].xyz;
        strain -= params.compliance / rest_here * so_far;
        strain /= (low + high + params.compliance) / rest_here + spin;
        pulls.values[pulled].xyz = so_far + strain;
    } else {
        strain /= (low + high) / rest_here + spin;
    }
    if (low > 0.0) set_place(column, edge, a + low * strain);
    set_place(column, edge + 1u, b - high * strain);
    vec4 change = joined_turns(vec4(strain, 0.0), joined_turns(turn, vec4(-1.0, 0.0, 0.0, 0.0)));
    if (turn_weight(edge) > 0.0)
        turns.values[strand * kVertices + edge] = normalize(turn + 2.0 * rest_here * turn_weight(edge) * change);
}

void keep_bend(uint column, uint edge) {
    uint strand = group_begin + column;
    vec3 at_rest = local.values[woven(strand, edge + 2u, kVertices)].xyz;
    float size = length(at_rest);
    if (!(size > 0.0)) return;
    vec4 a = turns.values[strand * kVertices + edge];
    vec4 b = turns.values[strand * kVertices + edge + 1u];
    vec4 wanted = turn_from_x(at_rest / size);
    vec4 now = joined_turns(inverse_turn(a), b);
    vec4 off = now - wanted;
    vec4 other = now + wanted; // the same rotation
    if (dot(other, other) < dot(off, off)) off = other;
    off.w = 0.0;
    float low = turn_weight(edge);
    if (params.bend_compliance > 0.0) {
        uint pulled = pull_index(column, edge, 1u);
        vec3 so_far = pulls.values[pulled].xyz;
        off.xyz = (off.xyz - params.bend_compliance * so_far) / (low + 1.0 + params.bend_compliance);
        pulls.values[pulled].xyz = so_far + off.xyz;
    } else {
        off /= low + 1.0;
    }
    if (low > 0.0) turns.values[strand * kVertices + edge] = normalize(a + low * joined_turns(b, off));
    turns.values[strand * kVertices + edge + 1u] = normalize(b - joined_turns(a, off));
}

void solve_rod(uint column, uint iterations) {
    if (params.compliance > 0.0 || params.bend_compliance > 0.0)
        for (uint i = 0u; i < kVertices; ++i)
            for (uint which = 0u; which < 2u; ++which)
                pulls.values[pull_index(column, i, which)] = vec4(0.0);
    for (uint k = 0u; k < iterations; ++k)
        for (uint batch = 0u; batch < 2u; ++batch) {
            for (uint i = batch; i + 1u < kVertices; i += 2u) keep_stretch(column, i);
            for (uint i = batch; i + 2u < kVertices; i += 2u) keep_bend(column, i);
        }
}

#endif
