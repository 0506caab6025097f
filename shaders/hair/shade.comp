#version 460
// The light that each vertex sends to the eye.

layout(local_size_x = 64) in;

#include "fibre.glsl"
#include "hash.glsl"
#include "invocation.glsl"
#include "shadow.glsl"

readonly buffer Positions { vec4 values[]; } positions;
readonly buffer Tangents { vec4 values[]; } tangents;
readonly buffer Groups { uint values[]; } groups;
writeonly buffer Colors { vec4 values[]; } colors;

const uint kMarschner = 1u;
layout(constant_id = 1) const uint kModel = 1u;

uniform Params {
    uint count; // vertices of all strands
    uint vertices;
    vec3 eye;
    vec3 to_light;
    vec3 light;
    vec3 ambient;
    vec4 group_colors[8]; // what is left of light after a way through
    float exponent;
    float specular;
    float shift;
    float roughness;
    float spread;
    float scattering; // light that other hairs send on
    float variation;
    mat4 light_from_world;
    uint side;
    float thickness;
    float bias;
} params;

void main() {
    uint at = invocation_index();
    if (at >= params.count) return;
    uint strand = at / params.vertices;
    vec3 x = positions.values[at].xyz;
    vec3 tangent = tangents.values[at].xyz;
    vec3 to_eye = params.eye - x;
    to_eye /= max(length(to_eye), 1e-12);
    vec3 r = random_numbers(strand, 77u, 3u);
    vec3 color = params.group_colors[min(groups.values[strand] & 0xffu, 7u)].rgb;
    color = clamp(color * (1.0 + params.variation * (2.0 * r.x - 1.0)), 0.001, 0.98);
    float depth = depth_towards_light(
        x, ShadowView(params.light_from_world, params.side, params.thickness), params.bias);
    // Light goes on through hair with its colour, and loses direction.
    vec3 direct = vec3(exp(-depth));
    vec3 scattered = exp(-depth * (1.0 - sqrt(color)) * 0.6) * (0.35 + 0.65 * direct);

    vec2 fur = kajiya_kay(tangent, params.to_light, to_eye, params.exponent);
    vec3 sent;
    if (kModel == kMarschner) {
        Fibre fibre = Fibre(-log(color) * 0.5, params.shift * (1.0 + 0.3 * (r.y - 0.5)),
                            params.roughness, params.spread);
        float across = fur.x; // less light falls on fibres that point to it
        sent = direct * params.specular * across * kPi * marschner(tangent, params.to_light, to_eye, fibre);
        sent += scattered * params.scattering * color * fur.x / kPi;
    } else {
        sent = scattered * color * fur.x / kPi * (1.0 + params.scattering);
        sent += direct * params.specular * fur.y * mix(vec3(1.0), color, 0.5) * 0.25;
    }
    // The sky is seen less of deep within hair.
    vec3 sky = params.ambient * color * exp(-0.35 * depth * (1.0 - sqrt(color)));
    colors.values[at] = vec4(params.light * sent + sky, 1.0);
}
