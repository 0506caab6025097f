#version 460
// What a ray sees of a step between two numbers that lies before black, where the number changes
// evenly (Engel, Kraus and Ertl 2001): colour times opacity, and opacity. Rows: the number at its end.

layout(local_size_x = 8, local_size_y = 8) in;

uniform Params {
    uint side;
    float stride; // of a step, in lengths for which opacities are given
} params;

readonly buffer Table { vec4 values[]; } table; // of `side` entries
writeonly buffer Pairs { vec4 values[]; } pairs;

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(at, uvec2(params.side)))) return;
    uint parts = 2u * uint(abs(int(at.x) - int(at.y))) + 1u;
    float share = params.stride / float(parts);
    vec3 light = vec3(0.0);
    float through = 1.0;
    for (uint i = 0u; i < parts; ++i) {
        float place = mix(float(at.x), float(at.y), (float(i) + 0.5) / float(parts));
        uint low = min(uint(place), params.side - 1u);
        uint high = min(low + 1u, params.side - 1u);
        vec4 entry = mix(table.values[low], table.values[high], place - float(low));
        float left = exp2(share * log2(max(1.0 - entry.a, 0.0)));
        light += through * (1.0 - left) * entry.rgb;
        through *= left;
    }
    pairs.values[at.y * params.side + at.x] = vec4(light, 1.0 - through);
}
