#version 460
// What the pool holds after an update, for the next one.

layout(local_size_x = 1) in;

#include "status.glsl"

buffer Status { TreeStatus elements[]; } status;
layout(constant_id = 0) const uint kKeeps = 1u;
writeonly buffer Kept { TreeStatus elements[]; } kept;

void main() {
    TreeStatus s = status.elements[0];
    uint reused = min(s.free, s.wanted);
    s.blocks = min(s.blocks + s.wanted - reused, s.room);
    s.free += s.freed - reused;
    ++s.frames;
    status.elements[0] = s;
    if (kKeeps != 0u) kept.elements[0] = s;
}
