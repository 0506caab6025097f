// Whether numbers are finite. By the bits, for isnan may be compiled away where a compiler assumes
// that there are none.
bool is_finite(vec4 v) {
    return all(lessThan(floatBitsToUint(v) & 0x7fffffffu, uvec4(0x7f800000u)));
}
