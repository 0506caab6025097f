#version 460
layout(local_size_x = 1) in;

// Counts the workgroups that run.
buffer Values { uint count; } target;

void main() { atomicAdd(target.count, 1u); }
