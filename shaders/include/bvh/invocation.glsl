// The index of this invocation where groups, or with PIPELINE defined rays, are folded into two
// dimensions.
uint invocation_index() {
#if PIPELINE
    return gl_LaunchIDEXT.y * gl_LaunchSizeEXT.x + gl_LaunchIDEXT.x;
#else
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    return group * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
#endif
}
