#version 460
// The copy that the device's bandwidth is measured with: 64 bytes an invocation, as four independent
// loads of 16 bytes, so that enough of them are under way to hide the latency of memory. Invocations
// next to each other touch vectors next to each other.

layout(local_size_x = 256) in;

const uint kVectors = 4u; // an invocation

readonly buffer Source { uvec4 vectors[]; } source;
writeonly buffer Result { uvec4 vectors[]; } result;

void main() {
    // Groups are numbered over both dimensions: one alone may be too short.
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint first = group * gl_WorkGroupSize.x * kVectors + gl_LocalInvocationID.x;
    uvec4 loaded[kVectors];
    for (uint i = 0u; i < kVectors; ++i) loaded[i] = source.vectors[first + i * gl_WorkGroupSize.x];
    for (uint i = 0u; i < kVectors; ++i) result.vectors[first + i * gl_WorkGroupSize.x] = loaded[i];
}
