#version 460
// Discs of charge at places that a hash chooses. The Laplacian of the potential is minus the charge.
layout(local_size_x = 8, local_size_y = 8) in;

layout(r32f) writeonly uniform image2D source; //! doc the rank's part, with a halo of one texel

uniform Params {
    ivec2 first;  //! doc first cell of the part
    ivec2 cells;  //! doc size of the whole field
    int charges;  //! range 1..1000, default 12, doc how many there are
} params;

uint hash(uint x) {
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(source)))) return;
    ivec2 cell = params.first + texel - 1;
    float charge = 0.0;
    for (int i = 0; i < params.charges; ++i) {
        uint h = hash(uint(i) + 5u);
        vec2 middle = vec2(h % uint(params.cells.x), hash(h) % uint(params.cells.y));
        float radius = 5.0 + float(hash(h + 1u) % 12u);
        if (distance(vec2(cell), middle) < radius) charge += i % 2 == 0 ? 1.0 : -1.0;
    }
    imageStore(source, texel, vec4(-charge, 0.0, 0.0, 1.0));
}
