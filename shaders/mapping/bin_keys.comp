#version 460
// The number of the bin that each point of a map and of a frame lies in; all bits set where there is none.
#include "cloud_status.glsl"

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer BeforePositions { vec4 values[]; } before_positions;
readonly buffer BeforeCount { uint word; } before_count;
readonly buffer NewPositions { vec4 values[]; } new_positions;
readonly buffer NewCount { uint word; } new_count;
writeonly buffer Keys { uint words[]; } keys;
buffer Status { CloudStatus words[]; } status;

uniform Params {
    vec3 corner;
    float side;
    uint room;
    uint new_room;
} params;

const float kBins = 1023.0; // along each axis: the last number of 30 bits is never used
const uint kNoBin = 0xffffffffu;

void main() {
    uint i = invocation_index();
    if (i >= params.room + params.new_room) return;
    bool is_new = i >= params.room;
    bool exists = is_new ? i - params.room < new_count.word : i < before_count.word;
    uint key = kNoBin;
    if (exists) {
        vec4 point = is_new ? new_positions.values[i - params.room] : before_positions.values[i];
        vec3 bin = floor((point.xyz - params.corner) / params.side);
        // Written so that what is not finite is outside.
        bool inside = all(greaterThanEqual(bin, vec3(0.0))) && all(lessThan(bin, vec3(kBins)));
        if (inside)
            key = uint(bin.x) | uint(bin.y) << 10u | uint(bin.z) << 20u;
        else if (is_new)
            atomicAdd(status.words[0].outside, 1u);
    }
    keys.words[i] = key;
}
