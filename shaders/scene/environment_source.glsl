// Reading the panorama that an environment is made from.

// Counts as the radiance of brighter texels: a sun of one texel in a 2048x1024 panorama then still
// adds no more than 50 to the radiance that a surface reflects.
const float kBrightestTexel = 16777216.0;
// The largest finite half, which infinite texels count as: they are what is left of a sun that was
// saved in half floats.
const float kBrightestHalf = 65504.0;

// NaN and negative values count as 0: no comparison holds for NaN.
vec3 clean_radiance(vec3 radiance) {
    vec3 finite = mix(min(radiance, kBrightestTexel), vec3(kBrightestHalf),
                      greaterThan(radiance, vec3(3.4e38)));
    return mix(vec3(0.0), finite, greaterThan(radiance, vec3(0.0)));
}
