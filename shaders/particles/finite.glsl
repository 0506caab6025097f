// Whether a particle takes part: place and velocity are finite. By the bits, for isnan may be
// compiled away where a compiler assumes that there are none.
bool is_alive(vec3 position, vec3 velocity) {
    const uvec3 kInfinity = uvec3(0x7f800000u);
    uvec3 p = floatBitsToUint(position) & 0x7fffffffu;
    uvec3 v = floatBitsToUint(velocity) & 0x7fffffffu;
    return all(lessThan(p, kInfinity)) && all(lessThan(v, kInfinity));
}
