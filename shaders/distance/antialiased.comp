#version 460
// The distance of each texel to the nearest piece of contour: of those in and around the nearest
// texels that the texel itself and its neighbours have.

layout(local_size_x = 16, local_size_y = 16) in;

#include "contour.glsl"

uniform sampler2D pieces; // as contour_pieces.comp writes them
uniform usampler2D site;  // of the nearest texel with a piece of contour: x | y << 16
uniform writeonly image2D field;

const uint kNoSite = 0xffffffffu;
const float kUnreached = 46341.0; // sqrt(2^31), as of distance/signed

// Where the line n x = offset is within the unit square about 0, along its direction: from x to y.
vec2 span_in_square(vec2 normal, float offset) {
    vec2 start = normal * offset;
    vec2 along = vec2(-normal.y, normal.x);
    vec2 span = vec2(-2.0, 2.0);
    for (int axis = 0; axis < 2; ++axis) {
        if (abs(along[axis]) < 1e-6) continue;
        float a = (-0.5 - start[axis]) / along[axis];
        float b = (0.5 - start[axis]) / along[axis];
        span = vec2(max(span.x, min(a, b)), min(span.y, max(a, b)));
    }
    return span.x <= span.y ? span : vec2(0.5 * (span.x + span.y));
}

// From the middle of `texel` to the piece in `other`.
float distance_to_piece(ivec2 texel, ivec2 other) {
    vec4 piece = texelFetch(pieces, other, 0);
    vec2 way = vec2(texel - other);
    if (piece.xy == vec2(0.0)) {
        // A lone texel or a thin line has its contour on all sides: the one towards us counts.
        piece.xy = way == vec2(0.0) ? vec2(1.0, 0.0) : normalize(way);
        piece.z = line_distance(piece.xy, piece.w);
    }
    vec2 along = vec2(-piece.y, piece.x);
    // The middle is `piece.z` outside of the line, so the line lies as far against the normal.
    vec2 span = span_in_square(piece.xy, -piece.z);
    float place = clamp(dot(along, way), span.x, span.y);
    return distance(way, along * place - piece.xy * piece.z);
}

float least_around(ivec2 texel, ivec2 middle, float least) {
    ivec2 last = textureSize(pieces, 0) - 1;
    for (int i = 0; i < 9; ++i) {
        ivec2 other = middle + ivec2(i % 3, i / 3) - 1;
        if (any(lessThan(other, ivec2(0))) || any(greaterThan(other, last))) continue;
        // A texel with a piece is its own nearest.
        if (texelFetch(site, other, 0).x != (uint(other.x) | uint(other.y) << 16)) continue;
        least = min(least, distance_to_piece(texel, other));
    }
    return least;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(field)))) return;
    ivec2 last = textureSize(pieces, 0) - 1;
    float least = kUnreached;
    uint before = kNoSite;
    // The texel's own first: most neighbours have the same.
    for (int i = 0; i < 9; ++i) {
        int step = (i + 4) % 9;
        ivec2 neighbour = clamp(texel + ivec2(step % 3, step / 3) - 1, ivec2(0), last);
        uint nearest = texelFetch(site, neighbour, 0).x;
        if (nearest == kNoSite || nearest == before) continue;
        before = nearest;
        least = least_around(texel, ivec2(nearest & 0xffffu, nearest >> 16), least);
    }
    bool within = texelFetch(pieces, texel, 0).w > 0.5;
    imageStore(field, texel, vec4(within ? -least : least));
}
