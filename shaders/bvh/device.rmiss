#version 460
#extension GL_EXT_ray_tracing : require
// Of a ray that hits nothing.
#include "bvh/ray.glsl"

layout(location = 0) rayPayloadInEXT DeviceHit device_payload;

void main() {
    device_payload.triangle = kNoTriangle;
}
