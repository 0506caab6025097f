#version 460
// Distances as colours, objects orange.
layout(local_size_x = 16, local_size_y = 16) in;

uniform usampler2D field;  //! doc distances to objects, or sites of distance/exact
uniform usampler2D inside; //! doc distances to the background
layout(rgba8) writeonly uniform image2D result;

uniform Params {
    uint shows;     //! doc 0: rings, 1: both sides, 2: hues, 3: sites along rows and columns
    uint squared;   //! doc 1: distances are squares
    float farthest; //! default 100, unit texels, doc the distance of the last colour
} params;

const vec3 kObject = vec3(1.0, 0.6, 0.15);
const float kRing = 12.0; // texels from one to the next

float distance_of(uint value) {
    return params.squared != 0u ? sqrt(float(value)) : float(value);
}

// From dark to light, with a ring that begins just before each multiple, where no distance is.
vec3 rings(float away, float part) {
    vec3 ground = mix(vec3(0.07, 0.12, 0.3), vec3(0.97, 0.95, 0.85), part);
    return mod(away + 0.25, kRing) < 1.5 ? 0.6 * ground : ground;
}

// From blue through green and yellow to red.
vec3 hue(float part) {
    float turn = 0.66 * (1.0 - part);
    return clamp(abs(fract(turn + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(result)))) return;
    uint value = texelFetch(field, texel, 0).x;
    float inward = distance_of(texelFetch(inside, texel, 0).x);
    float away = distance_of(value);
    float part = min(away / params.farthest, 1.0);
    vec3 color = value == 0u ? kObject : rings(away, part);
    if (params.shows == 1u) color = vec3(part, min(8.0 * inward / params.farthest, 1.0), 0.0);
    if (params.shows == 2u) color = value == 0u ? vec3(0.0) : hue(part);
    if (params.shows == 3u) {
        ivec2 site = ivec2(value & 0xffffu, value >> 16);
        vec2 steps = vec2(abs(site - texel)) / params.farthest;
        color = vec3(min(steps.x, 1.0), 0.0, min(steps.y, 1.0));
    }
    imageStore(result, texel, vec4(color, 1.0));
}
