// How bright the faces of voxels are.
#ifndef OCTREE_LIGHT
#define OCTREE_LIGHT

// By the axis of the face and the side it is on: different on all six, so that edges are seen.
float face_light(uint axis, bool positive) {
    const float kLight[6] = float[6](0.62, 0.74, 0.45, 1.0, 0.68, 0.86);
    return kLight[2u * axis + uint(positive)];
}

vec3 color_of(uint value) {
    return vec3(uvec3(value, value >> 8u, value >> 16u) & 0xffu) * (1.0 / 255.0);
}

#endif
