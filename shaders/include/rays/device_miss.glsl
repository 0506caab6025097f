// Of a ray that hits nothing.
#include "rays/ray.glsl"
#include "rays/device_hit.glsl"

layout(location = 0) rayPayloadInEXT DeviceHit device_payload;

void main() {
    device_payload.triangle = kNoTriangle;
}
