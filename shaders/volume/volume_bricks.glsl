// Bricks of 8 x 8 x 8 texels, of which those that show nothing are stepped over. A place belongs to
// the brick of the texel below it, and depends on no texel beyond the next brick's first. `dims` is the
// size of the volume; the first brick begins at the texel `corner`, which is 0 unless they are of a part.
#ifndef VOLUME_BRICKS
#define VOLUME_BRICKS

const float kBrick = 8.0;

uvec3 bricks_of(ivec3 dims) {
    return uvec3(dims + 7) / 8u;
}

// What numbers between the texels of a brick can be: they are rounded, and so lie beyond the ends by
// a little.
vec2 between_texels(vec2 range) {
    float slack = 1e-6 * max(abs(range.x), abs(range.y));
    return isinf(slack) ? range : range + vec2(-slack, slack);
}

// `place`: texels, the centre of the first one of the volume is 0.
uvec3 brick_at(ivec3 dims, ivec3 corner, vec3 place) {
    return uvec3(ivec3(clamp(place, vec3(0.0), vec3(dims - 1))) - corner) / 8u;
}

uint brick_index(uvec3 bricks, uvec3 brick) {
    return (brick.z * bricks.y + brick.y) * bricks.x + brick.x;
}

// How far along the direction all places surely belong to the brick that `place` is in, or to none of a
// part; less than that by a little, because places are rounded. Bricks at the edges of the volume reach
// beyond them.
float way_through(ivec3 dims, ivec3 corner, uvec3 brick, vec3 place, vec3 direction) {
    float rounding = max(2e-3, 1e-6 * float(max(dims.x, max(dims.y, dims.z)))); // texels
    float way = 1e30;
    for (int i = 0; i < 3; ++i) {
        bool up = direction[i] > 0.0;
        float side = kBrick * float(up ? brick[i] + 1u : brick[i]) + float(corner[i]);
        bool last = up ? side > float(dims[i] - 1) : side <= 0.0;
        if (direction[i] == 0.0 || last) continue;
        side += up ? -rounding : rounding;
        way = min(way, (side - place[i]) / direction[i]);
    }
    return way;
}

#endif
