// How strands cover pixels: as ribbons that face the camera. Lengths on the screen are pixels.
#ifndef HAIR_RIBBON
#define HAIR_RIBBON

struct RibbonView {
    mat4 clip_from_world;
    vec2 size;      // of the picture
    float scale;    // pixels of a world unit at distance 1; of an orthographic camera at any
    float radius;   // of a strand at its root, world units
    float tip;      // share of it at the tip
};

struct Seen {
    vec2 at;        // pixels
    float depth;    // 0 near to 1 far
    float half_width;
    bool good;      // before the camera and finite
};

Seen seen_at(vec3 x, float way, RibbonView view) {
    vec4 clip = view.clip_from_world * vec4(x, 1.0);
    bool good = clip.w > 1e-6 && clip.z >= 0.0 && clip.z <= clip.w; // false for NaN
    vec3 place = clip.xyz / (good ? clip.w : 1.0);
    float half_width = view.radius * mix(1.0, view.tip, way) * view.scale / (good ? clip.w : 1.0);
    vec2 at = (0.5 * place.xy + 0.5) * view.size;
    good = good && all(lessThan(abs(at), vec2(32768.0)));
    return Seen(at, place.z, half_width, good);
}

// The share of a pixel, a box one pixel wide, at distance d from the middle of a ribbon.
float covered(float d, float half_width) {
    return max(min(d + 0.5, half_width) - max(d - 0.5, -half_width), 0.0);
}

#endif
