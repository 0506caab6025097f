#version 460
layout(local_size_x = 1) in;

buffer Status { uint faults; float worst; uint kinds[3]; } status;

void main() {
    status.faults = 2u;
    status.worst = 0.5;
    status.kinds[0] = status.kinds[1] = status.kinds[2] = 7u;
}
