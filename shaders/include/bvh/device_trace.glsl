// What the device hits, by its ray-tracing pipeline: the stages device_miss.glsl, device_closest.glsl
// and device_any.glsl fill in the payload. Included by bvh/traverse_device.glsl.
layout(location = 0) rayPayloadEXT DeviceHit device_payload;

DeviceHit device_hit(Ray ray, float t_max, uint flags) {
    device_payload.leaves = ray.leaves;
    traceRayEXT(bvh_top, flags, 0xffu, 0u, 0u, 0u, ray.origin, 0.0, ray.direction, t_max, 0);
    return device_payload;
}
