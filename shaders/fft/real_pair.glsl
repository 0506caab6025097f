// The transform of 2n real numbers by that of n complex ones, Z, which hold those of even index as real
// and those of odd index as imaginary parts. With E and O the transforms of either, Z = E + i O, and the
// wanted one is X[k] = E[k] + root O[k] with root = exp(-pi i k / n), for k from 0 to n.
#include "fft/complex.glsl"

// X[k] of low = Z[k] and high = Z[n - k], Z[n] being Z[0].
vec2 halved(vec2 low, vec2 high, vec2 root) {
    vec2 even = 0.5 * (low + conjugate(high));
    vec2 odd = 0.5 * times_minus_i(low - conjugate(high));
    return even + times(root, odd);
}

// 2 Z[k] of low = X[k] and high = X[n - k]. The imaginary parts of X[0] and X[n], which those of real
// numbers do not have, are left out.
vec2 joined(uint k, vec2 low, vec2 high, vec2 root) {
    if (k == 0u) {
        low.y = 0.0;
        high.y = 0.0;
    }
    vec2 even = low + conjugate(high);
    vec2 odd = times(conjugate(root), low - conjugate(high));
    return even + times_i(odd);
}

// X[k] and X[n - k] of Z[k] and Z[n - k], which X[0] and X[n] of Z[0] twice are as well.
void halve_both(inout vec2 low, inout vec2 high, vec2 root) {
    vec2 even = 0.5 * (low + conjugate(high));
    vec2 odd = times(root, 0.5 * times_minus_i(low - conjugate(high)));
    low = even + odd;
    high = conjugate(even - odd);
}

// 2 Z[k] and 2 Z[n - k] of X[k] and X[n - k].
void join_both(inout vec2 low, inout vec2 high, vec2 root) {
    vec2 even = low + conjugate(high);
    vec2 odd = times_i(times(conjugate(root), low - conjugate(high)));
    low = even + odd;
    high = conjugate(even - odd);
}
