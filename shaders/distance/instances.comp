#version 460
// An indirect draw of as many instances as a list on the device has elements.

layout(local_size_x = 1) in;

readonly buffer Count { uint words[]; } count;
writeonly buffer Arguments { uint words[]; } arguments;

uniform Params {
    uint vertices; // of an instance
} params;

void main() {
    arguments.words[0] = params.vertices;
    arguments.words[1] = count.words[0];
    arguments.words[2] = 0u;
    arguments.words[3] = 0u;
}
