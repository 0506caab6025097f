// What the device hits, by a ray query. Included by bvh/traverse_device.glsl.
DeviceHit device_hit(Ray ray, float t_max, uint flags) {
    rayQueryEXT query;
    rayQueryInitializeEXT(query, bvh_top, flags, 0xffu, ray.origin, 0.0, ray.direction, t_max);
    while (rayQueryProceedEXT(query))
        if (uint(rayQueryGetIntersectionPrimitiveIndexEXT(query, false)) != ray.leaves)
            rayQueryConfirmIntersectionEXT(query);
    if (rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionNoneEXT)
        return DeviceHit(0.0, kNoTriangle, vec2(0.0), ray.leaves);
    return DeviceHit(rayQueryGetIntersectionTEXT(query, true),
                     uint(rayQueryGetIntersectionPrimitiveIndexEXT(query, true)),
                     rayQueryGetIntersectionBarycentricsEXT(query, true), ray.leaves);
}
