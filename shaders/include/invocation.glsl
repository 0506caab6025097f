// Numbers groups and invocations of what `dispatch_each`, or a count of groups on the device, folds
// into rows of at most 65,535 groups. There may be more than are needed.
#ifndef INVOCATION
#define INVOCATION

#if PIPELINE
// Of the rays that a ray generation stage begins, folded into rows as well.
uint invocation_index() {
    return gl_LaunchIDEXT.y * gl_LaunchSizeEXT.x + gl_LaunchIDEXT.x;
}
#else
uint group_index() {
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

// Of groups that extend along x alone. Include this below the layout that declares their size:
// above it gl_WorkGroupSize is 1, which compilers do not report. Where the last row goes beyond
// 2^32 - 1 elements, what lies there is 2^32 - 1, so no element comes twice.
uint invocation_index() {
    const uint kLast = 0xffffffffu;
    uint group = group_index();
    if (group > kLast / gl_WorkGroupSize.x) return kLast;
    uint first = group * gl_WorkGroupSize.x;
    return first + min(gl_LocalInvocationID.x, kLast - first);
}
#endif

#endif
