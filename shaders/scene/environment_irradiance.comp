#version 460
// First half of projecting a panorama onto the spherical harmonics up to degree 2: each group sums
// up its rows. Texels count as even patches of radiance, over which the harmonics are integrated
// exactly, so that panoramas of a few texels come out right too.

layout(local_size_x = 128) in;

#include "environment_source.glsl"

uniform sampler2D panorama;
writeonly buffer Partials {
    vec4 sums[]; // 9 of each group, in the order of EnvironmentMap::irradiance
} partials;

const float kPi = 3.14159265358979;
const int kLanes = 128;
shared vec3 lane_sums[9 * kLanes];

// Of one row: the Fourier coefficients of its radiance over longitude, up to the second.
struct RowSums {
    vec3 constant;
    vec3 sine;
    vec3 cosine;
    vec3 sine_twice;
    vec3 cosine_twice;
};

// `start` and `turn` are the cosine and sine of the lane's first longitude and of the step between
// its columns.
RowSums sum_row(int row, ivec2 size, vec2 start, vec2 turn) {
    RowSums sums = RowSums(vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0));
    float c = start.x;
    float s = start.y;
    for (int column = int(gl_LocalInvocationIndex); column < size.x; column += kLanes) {
        vec3 radiance = clean_radiance(texelFetch(panorama, ivec2(column, row), 0).rgb);
        sums.constant += radiance;
        sums.sine += s * radiance;
        sums.cosine += c * radiance;
        sums.sine_twice += (2.0 * s * c) * radiance;
        sums.cosine_twice += (1.0 - 2.0 * s * s) * radiance;
        float turned = c * turn.x - s * turn.y;
        s = s * turn.x + c * turn.y;
        c = turned;
    }
    // From values at the texels' centres to integrals over their widths.
    float once = 2.0 * sin(kPi / float(size.x));
    float twice = sin(2.0 * kPi / float(size.x));
    sums.constant *= 2.0 * kPi / float(size.x);
    sums.sine *= once;
    sums.cosine *= once;
    sums.sine_twice *= twice;
    sums.cosine_twice *= twice;
    return sums;
}

void main() {
    ivec2 size = textureSize(panorama, 0);
    vec3 moments[9];
    for (int m = 0; m < 9; ++m) moments[m] = vec3(0.0);

    float longitude = (2.0 * (float(gl_LocalInvocationIndex) + 0.5) / float(size.x) - 1.0) * kPi;
    float step_angle = 2.0 * kPi * float(kLanes) / float(size.x);
    vec2 start = vec2(cos(longitude), sin(longitude));
    vec2 turn = vec2(cos(step_angle), sin(step_angle));
    for (int row = int(gl_WorkGroupID.x); row < size.y; row += int(gl_NumWorkGroups.x)) {
        RowSums sums = sum_row(row, size, start, turn);
        // Integrals over the row's latitudes, t from straight up, as products, for differences
        // would cancel: half is half the row's height, c its centre.
        float c = (float(row) + 0.5) / float(size.y) * kPi;
        float half_height = 0.5 * kPi / float(size.y);
        float h = sin(half_height);
        float h2 = sin(2.0 * half_height);
        float h3 = sin(3.0 * half_height) / 3.0;
        float s = 2.0 * sin(c) * h;                                     // sin t
        float sc = 0.5 * sin(2.0 * c) * h2;                             // sin t cos t
        float ss = half_height - 0.5 * cos(2.0 * c) * h2;               // sin^2 t
        float ssc = 0.5 * (cos(c) * h - cos(3.0 * c) * h3);             // sin^2 t cos t
        float sss = 1.5 * sin(c) * h - 0.5 * sin(3.0 * c) * h3;         // sin^3 t
        // A direction is (sin t sin p, cos t, -sin t cos p), p its longitude.
        moments[0] += s * sums.constant;
        moments[1] += sc * sums.constant;                               // y
        moments[2] -= ss * sums.cosine;                                 // z
        moments[3] += ss * sums.sine;                                   // x
        moments[4] += ssc * sums.sine;                                  // x y
        moments[5] -= ssc * sums.cosine;                                // y z
        moments[6] += 1.5 * sss * (sums.constant + sums.cosine_twice) - s * sums.constant;
        moments[7] -= 0.5 * sss * sums.sine_twice;                      // x z
        moments[8] += 0.5 * sss * (sums.constant - sums.cosine_twice) - (s - sss) * sums.constant;
    }

    int lane = int(gl_LocalInvocationIndex);
    for (int m = 0; m < 9; ++m) lane_sums[m * kLanes + lane] = moments[m];
    barrier();
    for (int stride = kLanes / 2; stride > 0; stride /= 2) {
        if (lane < stride)
            for (int m = 0; m < 9; ++m)
                lane_sums[m * kLanes + lane] += lane_sums[m * kLanes + lane + stride];
        barrier();
    }
    if (lane < 9)
        partials.sums[9 * gl_WorkGroupID.x + lane] = vec4(lane_sums[lane * kLanes], 0.0);
}
