#ifndef FLUID_MOTION
#define FLUID_MOTION
// The velocity of solids at a place. They move as one rigid body: its pivot with `speed`.
vec3 solid_velocity(vec3 place, vec3 speed, vec3 spin, vec3 pivot) {
    return speed + cross(spin, place - pivot);
}

#endif
