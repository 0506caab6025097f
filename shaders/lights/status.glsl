// What culling tells: the group that begins it sums up what lights/place has counted. Groups have
// 256 invocations, all of which take part. C++: `write_status`.
#ifndef LIGHTS_STATUS
#define LIGHTS_STATUS

readonly buffer BadCounts { uint values[]; } bad_counts; // lights that shine nowhere, of each group
writeonly buffer Status { uint bad; uint overflowed; uint most; } status;

shared uint bad_lights;

// `groups`: of lights/place.
void write_status(uint groups) {
    if (any(notEqual(gl_WorkGroupID.xy, uvec2(0u)))) return;
    uint lane = gl_LocalInvocationID.x;
    if (lane == 0u) bad_lights = 0u;
    barrier();
    uint own = 0u;
    for (uint i = lane; i < groups; i += 256u)
        own += bad_counts.values[i];
    if (own > 0u) atomicAdd(bad_lights, own);
    barrier();
    if (lane > 0u) return;
    status.bad = bad_lights;
    status.overflowed = 0u;
    status.most = 0u;
}

#endif
