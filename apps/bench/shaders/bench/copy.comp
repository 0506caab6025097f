#version 460
// The copy that the device's bandwidth is measured with: 64 bytes an invocation, as four independent
// loads of 16 bytes, so that enough of them are under way to hide the latency of memory. Invocations
// next to each other touch vectors next to each other.

layout(local_size_x = 256) in;

readonly buffer Source { uvec4 vectors[]; } source;
writeonly buffer Result { uvec4 vectors[]; } result;

void main() {
    // Groups are numbered over both dimensions: one alone may be too short.
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint stride = gl_WorkGroupSize.x;
    uint first = group * 4u * stride + gl_LocalInvocationID.x;
    uvec4 a = source.vectors[first];
    uvec4 b = source.vectors[first + stride];
    uvec4 c = source.vectors[first + 2u * stride];
    uvec4 d = source.vectors[first + 3u * stride];
    result.vectors[first] = a;
    result.vectors[first + stride] = b;
    result.vectors[first + 2u * stride] = c;
    result.vectors[first + 3u * stride] = d;
}
