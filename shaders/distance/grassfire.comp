#version 460
// One pass of a grassfire: texels without a distance take their neighbours' plus one.

layout(local_size_x = 16, local_size_y = 16) in;

uniform usampler2D before;
uniform writeonly uimage2D after;
buffer Cut { uint flag; } cut;             // 1: a distance was more than a texel holds
buffer Done { uint flag; } done;           // begins as 1

uniform Params {
    uint eight; // 1: neighbours at the corners count
    uint unreached;
} params;

uint at(ivec2 texel) {
    // What lies outside is no object.
    if (any(lessThan(texel, ivec2(0))) || any(greaterThanEqual(texel, textureSize(before, 0))))
        return params.unreached;
    return texelFetch(before, texel, 0).r;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(after)))) return;
    uint own = at(texel);
    if (own == params.unreached) {
        uint least = params.unreached;
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x)
                if (params.eight != 0u || x == 0 || y == 0) least = min(least, at(texel + ivec2(x, y)));
        if (least != params.unreached) {
            own = min(least + 1u, params.unreached - 1u);
            if (least + 1u == params.unreached) atomicOr(cut.flag, 1u);
            atomicAnd(done.flag, 0u);
        }
    }
    imageStore(after, texel, uvec4(own));
}
