// How the materials blend. Declare the member `uvec4 modes[4]` of `Params`, two bits a material.
const uint kMostModes = 256u; // materials; those beyond are blended over what lies behind

uint mode_of(uint material) {
    if (material >= kMostModes) return 0u;
    return (params.modes[material / 64u][material / 16u % 4u] >> (2u * (material % 16u))) & 3u;
}
