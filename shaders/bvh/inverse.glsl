// The inverse of a matrix of three rows, as far as it has one that numbers of 24 bits tell.

struct Inverse {
    bool exists;
    vec3 rows[3];
};

// The power of two at or below a number; of what is none, 0.
float power_below(float v) {
    return uintBitsToFloat(floatBitsToUint(v) & 0x7f800000u);
}

// Less than this share of the product of the rows' lengths is a volume of nothing: that is what
// rounding leaves of it.
const float kFlat = 9.5367431640625e-7; // 2^-20

// Rows and then columns are brought to the same size first, exactly, so that what is thin or tiny is
// not taken for flat.
Inverse inverse_of(vec3 x, vec3 y, vec3 z) {
    Inverse result;
    result.exists = false;
    vec3 rows[3] = vec3[3](x, y, z);
    vec3 row_size;
    for (uint i = 0u; i < 3u; ++i) {
        vec3 size = abs(rows[i]);
        row_size[i] = power_below(max(max(size.x, size.y), size.z));
        if (row_size[i] == 0.0) return result;
        rows[i] /= row_size[i];
    }
    vec3 most = max(max(abs(rows[0]), abs(rows[1])), abs(rows[2]));
    vec3 column_size = vec3(power_below(most.x), power_below(most.y), power_below(most.z));
    if (any(equal(column_size, vec3(0.0)))) return result;
    for (uint i = 0u; i < 3u; ++i)
        rows[i] /= column_size;
    precise vec3 a = rows[1].yzx * rows[2].zxy - rows[1].zxy * rows[2].yzx;
    precise vec3 b = rows[2].yzx * rows[0].zxy - rows[2].zxy * rows[0].yzx;
    precise vec3 c = rows[0].yzx * rows[1].zxy - rows[0].zxy * rows[1].yzx;
    precise float volume = rows[0].x * a.x + rows[0].y * a.y + rows[0].z * a.z;
    float lengths = length(rows[0]) * length(rows[1]) * length(rows[2]);
    if (!(abs(volume) > kFlat * lengths)) return result;
    for (uint i = 0u; i < 3u; ++i)
        result.rows[i] = vec3(a[i], b[i], c[i]) / volume / column_size[i] / row_size;
    result.exists = true;
    for (uint i = 0u; i < 3u; ++i) {
        uvec3 bits = floatBitsToUint(result.rows[i]) & 0x7fffffffu;
        if (any(greaterThanEqual(bits, uvec3(0x7f800000u))) || all(equal(bits, uvec3(0u))))
            result.exists = false;
    }
    return result;
}
