#version 460
// Spectra of a sea that wind has roughened (Tessendorf, "Simulating Ocean Water", 2001): each wave has a
// random amplitude, of Phillips' spectrum, and turns with the frequency of its length. The amplitude of
// -k is the conjugate of that of k, so what a spectrum becomes is real; two of them make one array, as
// real and imaginary parts:
//     0: height and displacement along x, 1: displacement along z and slope along x,
//     2: slope along z and divergence of the displacement, below 0 where crests are squeezed.
layout(local_size_x = 64) in;
#include "hash.glsl"
#include "invocation.glsl"

writeonly buffer Spectra { vec2 values[]; } spectra; //! doc three arrays of side * side complex numbers, x fastest

uniform Params {
    uint side;        //! default 256, range 2..8192, doc waves along each axis
    float patch_side; //! default 200, range 0.001..1000000, unit m, doc the sea repeats after so much
    vec2 wind;        //! unit m/s, doc along x and z
    float strength;   //! default 0.0018, range 0..1, doc of the spectrum: waves are 1.25 sqrt(strength) v^2 / g high (RMS)
    float shortest;   //! default 0.4, range 0..1000, unit m, doc waves below it are damped
    float time;       //! unit s
    vec2 only;        //! doc numbers of the only wave there is; its amplitude is 1 m. 0: all
} params;

const float kGravity = 9.81;
const float kPi = 3.14159265;

vec2 times(vec2 a, vec2 b) { return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

// Of a normal distribution; the same for the same wave in every frame.
vec2 random_pair(ivec2 wave) {
    vec3 random = random_numbers(uint(wave.x + 65536), uint(wave.y + 65536), 14u);
    float radius = sqrt(-2.0 * log(max(random.x, 1e-7)));
    float angle = 2.0 * kPi * random.y;
    return radius * vec2(cos(angle), sin(angle));
}

// The wave that goes along k, at time 0.
vec2 amplitude(ivec2 wave, vec2 k) {
    if (params.only != vec2(0.0)) return ivec2(params.only) == wave ? vec2(0.5, 0.0) : vec2(0.0);
    float length_k = length(k);
    float speed = max(length(params.wind), 1e-3);
    float longest = speed * speed / kGravity;
    float along = dot(k / length_k, params.wind / speed);
    float phillips = params.strength * exp(-1.0 / pow(length_k * longest, 2.0)) / pow(length_k, 4.0) * along * along;
    phillips *= exp(-pow(length_k * params.shortest / (2.0 * kPi), 2.0));
    if (along < 0.0) phillips *= 0.1; // few waves go against the wind
    float step_k = 2.0 * kPi / params.patch_side;
    return 0.5 * step_k * sqrt(phillips) * random_pair(wave);
}

void main() {
    uint index = invocation_index();
    uint side = params.side;
    if (index >= side * side) return;
    ivec2 wave = ivec2(index % side, index / side);
    bool middle = 2 * wave.x == int(side) || 2 * wave.y == int(side); // has no opposite
    wave -= ivec2(greaterThan(2 * wave, ivec2(side))) * int(side);
    vec2 k = 2.0 * kPi / params.patch_side * vec2(wave);
    float length_k = length(k);
    vec2 height = vec2(0.0);
    if (length_k > 0.0 && !middle) {
        float turned = sqrt(kGravity * length_k) * params.time;
        vec2 turn = vec2(cos(turned), -sin(turned)); // along k
        vec2 opposite = amplitude(-wave, -k);
        height = times(amplitude(wave, k), turn) + times(vec2(opposite.x, -opposite.y), vec2(turn.x, -turn.y));
    }
    vec2 turned_height = vec2(-height.y, height.x); // times i
    vec2 direction = length_k > 0.0 ? k / length_k : vec2(0.0);
    uint one = side * side;
    // a + i b of the spectra of two real arrays.
    spectra.values[index] = height - direction.x * height; // i (i kx / |k|)
    spectra.values[one + index] = direction.y * turned_height - k.x * height;
    spectra.values[2u * one + index] = k.y * turned_height - length_k * turned_height;
}
