// Least and greatest y of parts of the ground. Above: terrain/surface.glsl. Parameters: `bounds`, y of
// all the ground. C++: `set_surface_bounds`.
#ifndef TERRAIN_BOUNDS
#define TERRAIN_BOUNDS

layout(constant_id = 13) const uint has_pyramid = 0u; // of the map of heights

uniform sampler2D pyramid; // of terrain/bounds

// Over a rectangle of the square. One inside another has bounds inside the other's.
vec2 ground_bounds(vec2 low, vec2 high, vec2 bounds, SurfaceTerms terms) {
    if (has_pyramid == 0u) return bounds;
    ivec2 last = max(textureSize(heights, 0) - 2, ivec2(0)); // square between texels
    vec2 side = vec2(textureSize(heights, 0) - 1);
    precise vec2 from = low * side;
    precise vec2 to = high * side;
    ivec2 a = clamp(ivec2(floor(from)), ivec2(0), last);
    ivec2 b = clamp(ivec2(floor(to)), ivec2(0), last);
    ivec2 wide = b - a;
    // The first mip of which at most two texels each way are met.
    int mip = max(findMSB(uint(max(wide.x, wide.y))), 0);
    while (any(greaterThan((b >> mip) - (a >> mip), ivec2(1)))) ++mip;
    mip = min(mip, textureQueryLevels(pyramid) - 1);
    ivec2 most = textureSize(pyramid, mip) - 1;
    ivec2 c = min(a >> mip, most);
    ivec2 d = min(b >> mip, most);
    vec2 p = texelFetch(pyramid, c, mip).xy;
    vec2 q = texelFetch(pyramid, ivec2(d.x, c.y), mip).xy;
    vec2 r = texelFetch(pyramid, ivec2(c.x, d.y), mip).xy;
    vec2 s = texelFetch(pyramid, d, mip).xy;
    precise vec2 ends = vec2(min(min(p.x, q.x), min(r.x, s.x)), max(max(p.y, q.y), max(r.y, s.y))) *
                            terms.ground.y + terms.ground.z;
    // Interpolation is rounded.
    precise float room = max(abs(ends.x), abs(ends.y)) * 1e-6;
    return vec2(min(ends.x, ends.y) - room, max(ends.x, ends.y) + room);
}

#endif
