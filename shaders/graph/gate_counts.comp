#version 460
// Zeroes group counts that the device made, where the iteration they belong to does not run.

layout(local_size_x = 3) in;

readonly buffer Stopped { uint words[]; } stopped;
buffer Counts { uint words[]; } counts;

void main() {
    if (stopped.words[0] != 0u) counts.words[gl_LocalInvocationIndex] = 0u;
}
