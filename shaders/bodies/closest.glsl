// The closest points of two segments, which may be points.
#ifndef BODIES_CLOSEST
#define BODIES_CLOSEST

// Shares of the way from `a` to `a + u` and from `b` to `b + v` (C. Ericson, "Real-Time Collision
// Detection", 2005, 5.1.9).
vec2 closest_shares(vec3 a, vec3 u, vec3 b, vec3 v) {
    vec3 r = a - b;
    float uu = dot(u, u);
    float vv = dot(v, v);
    float vr = dot(v, r);
    float ur = dot(u, r);
    const float kShort = 1e-12;
    if (uu <= kShort && vv <= kShort) return vec2(0.0);
    if (uu <= kShort) return vec2(0.0, clamp(vr / vv, 0.0, 1.0));
    if (vv <= kShort) return vec2(clamp(-ur / uu, 0.0, 1.0), 0.0);
    float uv = dot(u, v);
    float across = uu * vv - uv * uv;
    float s = across > 1e-7 * uu * vv ? clamp((uv * vr - ur * vv) / across, 0.0, 1.0) : 0.0;
    float t = (uv * s + vr) / vv;
    if (t < 0.0) return vec2(clamp(-ur / uu, 0.0, 1.0), 0.0);
    if (t > 1.0) return vec2(clamp((uv - ur) / uu, 0.0, 1.0), 1.0);
    return vec2(s, t);
}
#endif
