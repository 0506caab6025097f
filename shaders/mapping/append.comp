#version 460
// A frame's points behind those of the frames before, of which a window drops the oldest.
#include "cloud_status.glsl"

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer BeforePositions { vec4 values[]; } before_positions;
readonly buffer BeforeColors { uint words[]; } before_colors;
readonly buffer BeforeCount { uint word; } before_count;
readonly buffer NewPositions { vec4 values[]; } new_positions;
readonly buffer NewColors { uint words[]; } new_colors;
readonly buffer NewCount { uint word; } new_count;
readonly buffer BeforeFrames { uint words[]; } before_frames; // how many there are, and the points of each
writeonly buffer KeptFrames { uint words[]; } kept_frames;
writeonly buffer Positions { vec4 values[]; } positions;
writeonly buffer Colors { uint words[]; } colors;
writeonly buffer Count { uint word; } count;
writeonly buffer Status { CloudStatus words[]; } status;

uniform Params {
    uint room;
    uint new_room;
    uint frames; // in the window; 0: there is none
} params;

void main() {
    uint i = invocation_index();
    uint added = min(new_count.word, params.new_room);
    uint held = before_frames.words[0];
    bool drops = params.frames > 0u && held == params.frames;
    uint dropped = drops ? before_frames.words[1] : 0u;
    uint stays = min(before_count.word, params.room) - dropped;
    uint points = min(stays + added, params.room);
    if (i == 0u) {
        count.word = points;
        status.words[0] = CloudStatus(stays + added, params.room, 0u);
        kept_frames.words[0] = params.frames > 0u ? min(held + 1u, params.frames) : 0u;
        uint next = 1u;
        for (uint f = drops ? 1u : 0u; f < held; ++f) kept_frames.words[next++] = before_frames.words[1u + f];
        if (params.frames > 0u) kept_frames.words[next] = added;
    }
    if (i >= points) return;
    positions.values[i] = i < stays ? before_positions.values[i + dropped] : new_positions.values[i - stays];
    colors.words[i] = i < stays ? before_colors.words[i + dropped] : new_colors.words[i - stays];
}
