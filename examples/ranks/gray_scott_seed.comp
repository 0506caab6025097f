#version 460
// A field full of the first substance, with squares of the second at places that a hash chooses.
layout(local_size_x = 8, local_size_y = 8) in;

layout(rgba32f) writeonly uniform image2D field; //! doc the rank's part, with a halo of one texel

uniform Params {
    ivec2 first; //! doc first cell of the part
    ivec2 cells; //! doc size of the whole field
    int squares; //! range 1..1000, default 24, doc how many there are
} params;

uint hash(uint x) {
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(field)))) return;
    // The halo's cells are those at the other end of the field.
    ivec2 cell = (params.first + texel - 1 + params.cells) % params.cells;
    bool inside = false;
    for (int i = 0; i < params.squares; ++i) {
        uint h = hash(uint(i) + 1u);
        ivec2 middle = ivec2(h % uint(params.cells.x), hash(h) % uint(params.cells.y));
        ivec2 away = abs(cell - middle);
        away = min(away, params.cells - away);
        inside = inside || max(away.x, away.y) < 5;
    }
    imageStore(field, texel, inside ? vec4(0.5, 0.25, 0.0, 1.0) : vec4(1.0, 0.0, 0.0, 1.0));
}
