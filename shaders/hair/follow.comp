#version 460
// Hairs around each guide: they run beside it, and spread towards the tips.

layout(local_size_x = 256) in;

#include "hash.glsl"
#include "invocation.glsl"
#include "turn.glsl"

readonly buffer Positions { vec4 values[]; } positions;
readonly buffer Tangents { vec4 values[]; } tangents;
readonly buffer Groups { uint values[]; } groups;
writeonly buffer Followers { vec4 values[]; } followers;
writeonly buffer Directions { vec4 values[]; } directions;
writeonly buffer Kinds { uint values[]; } kinds;

uniform Params {
    uint count; // vertices of all guides and followers
    uint vertices;
    uint each;   // hairs of a guide, itself one of them
    float radius; // of the disc around a guide's root
    float spread; // by which the distance from the guide grows towards the tip
    uint seed;
} params;

void main() {
    uint at = invocation_index();
    if (at >= params.count) return;
    uint strand = at / params.vertices;
    uint vertex = at % params.vertices;
    uint guide = strand / params.each;
    uint from = guide * params.vertices + vertex;
    vec3 x = positions.values[from].xyz;
    if (strand % params.each != 0u) {
        // The disc is turned with the root.
        vec4 turn = turn_from_x(tangents.values[guide * params.vertices].xyz);
        vec3 r = random_numbers(strand, params.seed, 5u);
        float angle = 6.283185307 * r.x;
        vec3 offset = params.radius * sqrt(r.y) * vec3(0.0, cos(angle), sin(angle));
        x += turned(turn, offset) * (1.0 + params.spread * float(vertex) / float(params.vertices));
    }
    followers.values[at] = vec4(x, positions.values[from].w);
    directions.values[at] = tangents.values[from];
    if (vertex == 0u) kinds.values[strand] = groups.values[guide];
}
