#version 460
#extension GL_EXT_ray_tracing : require
// Of a ray that hits a triangle, the closest one or any.
#include "bvh/ray.glsl"

layout(location = 0) rayPayloadInEXT DeviceHit device_payload;
hitAttributeEXT vec2 barycentric;

void main() {
    device_payload.t = gl_HitTEXT;
    device_payload.triangle = uint(gl_PrimitiveID);
    device_payload.barycentric = barycentric;
}
