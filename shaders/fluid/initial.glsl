// Where an initial state has a cell of a state. Needs `part` and `halo` in `params`.
layout(constant_id = 0) const uint kParts = 0u; // 1: ranks have the field in parts, with halos

// Cell `i` of the state: -1 where it is one of the halo, which the initial state has not.
int initial_index(uint i) {
    if (kParts == 0u) return int(i);
    uvec3 held = uvec3(params.part + 2 * params.halo);
    ivec3 at = ivec3(i % held.x, i / held.x % held.y, i / (held.x * held.y)) - params.halo;
    bool own = all(greaterThanEqual(at, ivec3(0))) && all(lessThan(at, params.part));
    return own ? (at.z * params.part.y + at.y) * params.part.x + at.x : -1;
}
