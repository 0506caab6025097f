#version 460
// What a bright point becomes in an eye or a lens with a few blades: itself for the most part, a halo and
// six rays. One group; the weights' sum is 1.
layout(local_size_x = 256) in;

writeonly buffer Weights { float values[]; } weights; //! doc side * side numbers

uniform Params {
    uint side;   //! default 129, range 1..2047, doc weights along each axis, odd
    float spread; //! default 0.22, range 0..1, doc share of the light that leaves its place
    float angle; //! default 12, unit degrees, doc of the first ray
} params;

shared float parts[256];

float star(vec2 p) {
    float reach = 0.5 * float(params.side);
    float r = length(p) / reach;
    if (r >= 1.0 || r == 0.0) return 0.0;
    float edge = (1.0 - r) * (1.0 - r);
    float halo = 0.02 / (0.02 + 4.0 * r * r);
    float angle = atan(p.y, p.x) - params.angle * 0.017453293;
    float across = length(p) * abs(sin(3.0 * angle)) / 3.0; // from the nearest of six rays
    float rays = exp(-0.7 * across * across) * 0.35 / (0.15 + r);
    return edge * (0.25 * halo + rays);
}

vec2 place(uint i) {
    return vec2(i % params.side, i / params.side) - 0.5 * float(params.side - 1u);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint count = params.side * params.side;
    float sum = 0.0;
    for (uint i = lane; i < count; i += 256u) sum += star(place(i));
    parts[lane] = sum;
    barrier();
    for (uint half_ = 128u; half_ > 0u; half_ >>= 1) {
        if (lane < half_) parts[lane] += parts[lane + half_];
        barrier();
    }
    float all_ = parts[0];
    float share = all_ > 0.0 ? params.spread / all_ : 0.0;
    for (uint i = lane; i < count; i += 256u)
        weights.values[i] = share * star(place(i)) + (2u * i + 1u == count ? 1.0 - (all_ > 0.0 ? params.spread : 0.0) : 0.0);
}
