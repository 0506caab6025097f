#version 460
// Smoke and fire along rays, from front to back.

layout(local_size_x = 8, local_size_y = 8) in;

#include "smoke.glsl"

uniform Params {
    SmokeGrid smoke;
    float extinction;   // of smoke of amount 1, 1 / cell of the dye
    vec3 towards_light; // of unit length
    vec3 eye;
    vec3 forward; // of a ray through the middle of the picture; from there ...
    vec3 right;   // ... to its right side
    vec3 down;    // ... and to its lower one
    float step_length;
    vec3 albedo;
    float glow;
    vec3 light;
    vec3 ambient;
    vec3 solid_color;
    vec3 background;
} params;

#include "flame.glsl"

readonly buffer Reached { float values[]; } reached; // share of the light at each cell
writeonly uniform image2D result;

const float kBack = 0.318;   // 1 / pi: what is evenly scattered goes one way
const float kShining = 0.1; // of a cell of flame, so that a "glow" of 1 is not too much
const float kOpaque = 0.004; // what still shines through where a ray may end

struct Sample {
    vec4 dye;
    float light;
};

Sample sample_at(vec3 place) {
    vec3 from = place - 0.5;
    vec3 corner = floor(from);
    vec3 share = from - corner;
    Sample sum = Sample(vec4(0.0), 0.0);
    for (int i = 0; i < 8; ++i) {
        ivec3 side = ivec3(i & 1, i >> 1 & 1, i >> 2);
        vec3 part = mix(1.0 - share, share, vec3(side));
        ivec3 cell = clamp(ivec3(corner) + side, ivec3(0), params.smoke.dims - 1);
        uint index = dye_index(params.smoke, cell);
        float weight = part.x * part.y * part.z;
        sum.dye += weight * dye.cells[index];
        sum.light += weight * reached.values[index];
    }
    return sum;
}

// How much of a cube of the size of a cell, about `place`, is solid: at a half lies the surface
// that is drawn, so that it has no steps.
float solid_share(vec3 place) {
    vec3 from = place - 0.5;
    vec3 corner = floor(from);
    vec3 share = from - corner;
    float sum = 0.0;
    for (int i = 0; i < 8; ++i) {
        ivec3 side = ivec3(i & 1, i >> 1 & 1, i >> 2);
        vec3 part = mix(1.0 - share, share, vec3(side));
        if (is_solid_at(params.smoke, ivec3(corner) + side)) sum += part.x * part.y * part.z;
    }
    return sum;
}

// Away from where solid cells around are.
vec3 solid_normal(vec3 place, vec3 back) {
    ivec3 cell = ivec3(floor(place));
    vec3 sum = 0.5 * back;
    for (int x = -3; x <= 3; ++x)
        for (int y = -3; y <= 3; ++y)
            for (int z = -3; z <= 3; ++z) {
                ivec3 near = cell + ivec3(x, y, z);
                vec3 way = vec3(near) + 0.5 - place;
                if (is_solid_at(params.smoke, near)) sum -= way * exp(-0.4 * dot(way, way));
            }
    return normalize(sum);
}

vec3 solid_light(vec3 place, vec3 direction) {
    vec3 normal = solid_normal(place, -direction);
    vec3 outside = place + 2.5 * normal; // cells of the solid itself have no light
    float lit = max(dot(normal, params.towards_light), 0.0) * sample_at(outside).light;
    return params.solid_color * (params.ambient * (0.75 + 0.25 * normal.y) + kBack * lit * params.light);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    vec2 clip = (vec2(texel) + 0.5) / vec2(size) * 2.0 - 1.0;
    vec3 direction = normalize(params.forward + clip.x * params.right + clip.y * params.down);
    vec3 inverse = 1.0 / mix(direction, vec3(1e-9), lessThan(abs(direction), vec3(1e-9)));
    vec3 a = -params.eye * inverse;
    vec3 b = (vec3(params.smoke.dims) - params.eye) * inverse;
    vec3 low = min(a, b);
    vec3 high = max(a, b);
    float near = max(max(max(low.x, low.y), low.z), 0.0);
    float far = min(min(high.x, high.y), high.z);

    vec3 gained = vec3(0.0);
    float through = 1.0;
    vec3 behind = params.background;
    int steps = near < far ? int(ceil((far - near) / params.step_length)) : 0;
    for (int i = 0; i < steps && through > kOpaque; ++i) {
        vec3 place = params.eye + (near + (float(i) + 0.5) * params.step_length) * direction;
        if (has_solid != 0u && solid_share(place) > 0.5) {
            float into = params.step_length; // back to where the surface is
            for (int halving = 0; halving < 5; ++halving) {
                into *= 0.5;
                place += (solid_share(place) > 0.5 ? -into : into) * direction;
            }
            behind = solid_light(place, direction);
            break;
        }
        Sample found = sample_at(place);
        float amount = amount_of(found.dye);
        float kept = exp(-params.extinction * amount * params.step_length);
        vec3 tint = found.dye.rgb / max(amount, 1e-6);
        vec3 scattered = params.albedo * tint * (params.ambient + kBack * found.light * params.light);
        vec3 shining = params.glow * kShining * params.step_length * flame_color(found.dye.a);
        gained += through * ((1.0 - kept) * scattered + shining);
        through *= kept;
    }
    imageStore(result, texel, vec4(gained + through * behind, 1.0));
}
