// The velocity of solids, which move as one rigid body. Before it: `params` with the members of
// solid_speed, solid_spin and solid_pivot.
vec3 solid_velocity(vec3 place) {
    return params.solid_speed + cross(params.solid_spin, place - params.solid_pivot);
}
