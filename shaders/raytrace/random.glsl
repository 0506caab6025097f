// Random numbers of a path: three for each use, the same in every run. Include hash.glsl before.

// What numbers are used for. A bounce has kUsesPerBounce of its own, from kFirstBounce on.
const uint kUsePixel = 0u;
const uint kUseLens = 1u;
const uint kFirstBounce = 2u;
const uint kUsesPerBounce = 3u;
const uint kUseLobe = 0u; // what is passed through, which light, whether the path goes on
const uint kUseScatter = 1u;
const uint kUseLight = 2u;

vec3 random_numbers(uint slot, uint sample_index, uint use) {
    return unit_interval(pcg3d(uvec3(slot, sample_index, use)));
}
