#version 460
// A city of boxes without a vertex buffer: an instance a house, 36 vertices each.

layout(push_constant) uniform Camera { mat4 clip_from_world; } camera;
layout(location = 0) out vec3 place;
layout(location = 1) out vec3 normal;
layout(location = 2) flat out float seed;

const int kAcross = 24;

float hash(uint n) {
    n = n * 747796405u + 2891336453u;
    n = ((n >> ((n >> 28) + 4u)) ^ n) * 277803737u;
    return float((n >> 22) ^ n) / 4294967295.0;
}

void main() {
    int face = gl_VertexIndex / 6;
    int corner = int[](0, 1, 2, 2, 1, 3)[gl_VertexIndex % 6];
    int axis = face % 3;
    float side = face < 3 ? 1.0 : -1.0;
    vec3 n = vec3(0.0);
    n[axis] = side;
    vec3 p = n;
    p[(axis + 1) % 3] = side * (float(corner & 1) * 2.0 - 1.0);
    p[(axis + 2) % 3] = float(corner >> 1) * 2.0 - 1.0;

    seed = hash(uint(gl_InstanceIndex));
    vec2 block = vec2(gl_InstanceIndex % kAcross, gl_InstanceIndex / kAcross) - 0.5 * float(kAcross - 1);
    float height = 0.4 + 5.0 * pow(seed, 3.0) * exp(-0.01 * dot(block, block));
    place = vec3(block.x * 1.5, 0.0, block.y * 1.5) + p * vec3(0.5, height, 0.5) + vec3(0, height, 0);
    normal = n;
    gl_Position = camera.clip_from_world * vec4(place, 1.0);
}
