// The numbers of joints' kinds and parts, as `JointKind` of passes/bodies/bodies.hpp has them.
#ifndef BODIES_JOINT_KINDS
#define BODIES_JOINT_KINDS
const uint kBall = 0u;
const uint kHinge = 1u;
const uint kSlider = 2u;
const uint kHasLimits = 1u;
const uint kHasMotor = 2u;
#endif
