#ifndef FLUID_MOTION
#define FLUID_MOTION
// How solids move: as one rigid body.
struct Motion {
    vec3 speed; // of the pivot, cells / time unit
    vec3 spin;  // radians / time unit
    vec3 pivot; // cells
};

vec3 solid_velocity(Motion solids, vec3 place) {
    return solids.speed + cross(solids.spin, place - solids.pivot);
}

#endif
