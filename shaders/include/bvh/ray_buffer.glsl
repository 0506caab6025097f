// Rays in a buffer, two quads each: origin and t_max; direction and the triangle that the ray
// leaves. Include bvh/ray.glsl before.
readonly buffer Rays { uvec4 values[]; } rays;

Ray ray_at(uint i) {
    uvec4 a = rays.values[2u * i];
    uvec4 b = rays.values[2u * i + 1u];
    return Ray(uintBitsToFloat(a.xyz), uintBitsToFloat(a.w), uintBitsToFloat(b.xyz), b.w);
}
