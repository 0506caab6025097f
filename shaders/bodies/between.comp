#version 460
// Where bodies are at the time of the picture: between the states before and after the last step.

layout(local_size_x = 256) in;

#include "clock.glsl"
#include "invocation.glsl"

readonly buffer Clock { ClockWords elements[]; } clock_words;
readonly buffer LastPlaces { vec4 values[]; } last_places; // before the last step
readonly buffer LastTurns { vec4 values[]; } last_turns;
readonly buffer Places { vec4 values[]; } places;
readonly buffer Turns { vec4 values[]; } turns;
writeonly buffer ShownPlaces { vec4 values[]; } shown_places;
writeonly buffer ShownTurns { vec4 values[]; } shown_turns;

uniform Params {
    uint count;
} params;

void main() {
    uint i = invocation_index();
    if (i >= params.count) return;
    float share = clock_words.elements[0].share;
    vec4 place = places.values[i];
    vec4 turn = turns.values[i];
    if (share < 1.0) {
        place.xyz = mix(last_places.values[i].xyz, place.xyz, share);
        // Both signs of a quaternion are one rotation: the shorter way.
        vec4 last = last_turns.values[i];
        vec4 between = mix(dot(last, turn) < 0.0 ? -last : last, turn, share);
        float size = length(between);
        if (size > 1e-6) turn = between / size;
    }
    shown_places.values[i] = place;
    shown_turns.values[i] = turn;
}
