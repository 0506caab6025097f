// Media of meshes. Kernels are told of at most 256: `extinction` (fourth: reflectance), `emission`
// and `scatter` (fourth: kind).
const uint kMaxMedia = 256u;
const int kMedium = 0; // a kind: else a shadow of light number kind - 1

int kind_of(vec4 scatter) {
    return int(scatter.w);
}

// Two counts share a number of 24 bits: sums of these are exact.
const float kSecondCount = 4096.0;

// What a face reflects: three numbers of at least 0 in a word, nine bits each and five of a common
// exponent.
const int kExponentBias = 15;
const int kMantissaBits = 9;

uint pack_shared(vec3 color) {
    const float kMax = 65408.0; // (1 - 2^-9) * 2^16
    color = clamp(mix(color, vec3(0.0), isnan(color)), 0.0, kMax);
    float most = max(color.r, max(color.g, color.b));
    if (most < 1e-8) return 0u;
    int exponent;
    frexp(most, exponent);
    exponent = max(exponent, -kExponentBias);
    float unit = exp2(float(exponent - kMantissaBits));
    if (floor(most / unit + 0.5) > 511.0) {
        unit *= 2.0;
        ++exponent;
    }
    uvec3 mantissa = min(uvec3(color / unit + 0.5), uvec3(511u));
    return mantissa.r | mantissa.g << 9 | mantissa.b << 18 | uint(exponent + kExponentBias) << 27;
}

vec3 unpack_shared(uint word) {
    uvec3 mantissa = uvec3(word, word >> 9, word >> 18) & 511u;
    return vec3(mantissa) * exp2(float(int(word >> 27) - kExponentBias - kMantissaBits));
}
