#version 460
// Copies words: a copy as a kernel, because a loop can skip kernels but not copy commands.

layout(local_size_x = 256) in;

readonly buffer Source { uint words[]; } source;
writeonly buffer Target { uint words[]; } target;

void main() {
    uint count = uint(target.words.length());
    uint step_size = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += step_size)
        target.words[i] = source.words[i];
}
