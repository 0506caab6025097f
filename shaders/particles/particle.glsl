// What the compute kernels of particles share.
#include "finite.glsl"

// The index of this invocation where groups are folded into two dimensions.
uint particle_index() {
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    return group * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
}
