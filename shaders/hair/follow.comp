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
    // Radius of the disc around a guide's root; what the distance from the guide grows by towards the
    // tip; share of the guide's length.
    vec4 groups[8];
    float length_spread;
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
    vec4 along = tangents.values[from];
    if (strand % params.each != 0u) {
        vec4 group = params.groups[min(groups.values[guide] & 0xffffu, 7u)];
        // The disc is turned with the root.
        vec4 turn = turn_from_x(tangents.values[guide * params.vertices].xyz);
        vec3 r = random_numbers(strand, params.seed, 5u);
        float angle = 6.283185307 * r.x;
        vec3 offset = group.x * sqrt(r.y) * vec3(0.0, cos(angle), sin(angle));
        float share = group.z * (1.0 - params.length_spread * r.z);
        float place = float(vertex) * share; // on the guide
        if (share < 1.0) {
            uint low = min(uint(place), params.vertices - 2u);
            uint first = guide * params.vertices + low;
            x = mix(positions.values[first].xyz, positions.values[first + 1u].xyz, place - float(low));
            along = mix(tangents.values[first], tangents.values[first + 1u], place - float(low));
            float size = length(along.xyz);
            along = size > 1e-6 ? along / size : tangents.values[first];
        }
        x += turned(turn, offset) * (1.0 + group.y * place / float(params.vertices));
    }
    followers.values[at] = vec4(x, positions.values[from].w);
    directions.values[at] = along;
    if (vertex == 0u) kinds.values[strand] = groups.values[guide];
}
