// A joint: six quads, as `JointRecord` of passes/bodies/bodies.hpp has it. The includer declares
// `readonly buffer Joints { vec4 values[]; } joints;`.
#ifndef BODIES_JOINT
#define BODIES_JOINT

#include "joint_kinds.glsl"

const uint kJointQuads = 6u;

uvec4 joint_head(uint j) {
    return floatBitsToUint(joints.values[kJointQuads * j]);
}
vec4 joint_quad(uint j, uint k) {
    return joints.values[kJointQuads * j + k];
}
#endif
