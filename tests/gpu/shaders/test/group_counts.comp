#version 460
layout(local_size_x = 1) in;

uniform Params { uint groups; } params;
writeonly buffer Counts { uint counts[]; } target;

void main() {
    target.counts[0] = params.groups;
    target.counts[1] = 1u;
    target.counts[2] = 1u;
}
