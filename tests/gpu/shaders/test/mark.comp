#version 460
layout(local_size_x = 1) in;

// Marks one word for each workgroup that runs.
buffer Values { uint values[]; } target;

void main() { target.values[gl_WorkGroupID.x] = 1u; }
