// Of triangles that a ray tries one by one: it does not hit the one that it leaves.
#include "bvh/ray.glsl"
#include "bvh/device_hit.glsl"

layout(location = 0) rayPayloadInEXT DeviceHit device_payload;

void main() {
    if (uint(gl_PrimitiveID) == device_payload.leaves) ignoreIntersectionEXT;
}
