#version 460
// One generation of Conway's Game of Life; the field has no edges.
layout(local_size_x = 8, local_size_y = 8) in;

uniform usampler2D before;
layout(r32ui) writeonly uniform uimage2D after;

void main() {
    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(after);
    if (any(greaterThanEqual(cell, size))) return;
    uint neighbours = 0u;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
            if (x != 0 || y != 0)
                neighbours += texelFetch(before, (cell + ivec2(x, y) + size) % size, 0).r;
    uint alive = texelFetch(before, cell, 0).r;
    bool lives = neighbours == 3u || (alive == 1u && neighbours == 2u);
    imageStore(after, cell, uvec4(lives ? 1u : 0u));
}
