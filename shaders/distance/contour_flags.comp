#version 460
// Which objects may be the nearest of any texel of the background: those that have one beside them.

layout(local_size_x = 16, local_size_y = 16) in;

uniform usampler2D seed;
writeonly buffer Flags { uint words[]; } flags; // by texel, row by row

bool is_background(ivec2 texel, ivec2 size) {
    if (any(lessThan(texel, ivec2(0))) || any(greaterThanEqual(texel, size))) return false;
    return texelFetch(seed, texel, 0).r == 0u;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = textureSize(seed, 0);
    if (any(greaterThanEqual(texel, size))) return;
    bool beside = is_background(texel + ivec2(1, 0), size) ||
                  is_background(texel - ivec2(1, 0), size) ||
                  is_background(texel + ivec2(0, 1), size) ||
                  is_background(texel - ivec2(0, 1), size);
    bool contour = beside && texelFetch(seed, texel, 0).r != 0u;
    flags.words[uint(texel.y) * uint(size.x) + uint(texel.x)] = contour ? 1u : 0u;
}
