#version 460
// A point for each bin: the mean of its points or the first of them. The sort is stable, and the map's points
// come before the frame's.
#include "cloud_status.glsl"

layout(local_size_x = 256) in;

#include "invocation.glsl"

readonly buffer BeforePositions { vec4 values[]; } before_positions;
readonly buffer BeforeColors { uint words[]; } before_colors;
readonly buffer NewPositions { vec4 values[]; } new_positions;
readonly buffer NewColors { uint words[]; } new_colors;
readonly buffer Sorted { uint words[]; } sorted;
readonly buffer Permutation { uint words[]; } permutation;
readonly buffer Runs { uint words[]; } runs; // their first elements
readonly buffer RunCount { uint word; } run_count;
writeonly buffer Positions { vec4 values[]; } positions;
writeonly buffer Colors { uint words[]; } colors;
writeonly buffer Count { uint word; } count;
buffer Status { CloudStatus words[]; } status;

uniform Params {
    uint room;
    uint points; // of map and frame, and room that neither uses
    uint keeps_first;
} params;

const uint kNoBin = 0xffffffffu;

void main() {
    uint i = invocation_index();
    uint bins = run_count.word;
    // Elements without a bin are the last run.
    if (bins > 0u && sorted.words[runs.words[bins - 1u]] == kNoBin) --bins;
    uint kept = min(bins, params.room);
    if (i == 0u) {
        count.word = kept;
        status.words[0].points = bins;
        status.words[0].room = params.room;
    }
    if (i >= kept) return;
    uint first = runs.words[i];
    uint end = i + 1u < run_count.word ? runs.words[i + 1u] : params.points;
    if (params.keeps_first != 0u) end = first + 1u;
    vec3 place = vec3(0.0);
    vec3 color = vec3(0.0);
    float weight = 0.0;
    for (uint at = first; at < end; ++at) {
        uint element = permutation.words[at];
        bool is_new = element >= params.room;
        vec4 point = is_new ? new_positions.values[element - params.room] : before_positions.values[element];
        vec4 its_color = unpackUnorm4x8(is_new ? new_colors.words[element - params.room] : before_colors.words[element]);
        float times = max(floor(its_color.a * 255.0 + 0.5), 1.0);
        place += times * point.xyz;
        color += times * its_color.rgb;
        weight += times;
    }
    positions.values[i] = vec4(place / weight, 1.0);
    colors.words[i] = packUnorm4x8(vec4(color / weight, min(weight, 255.0) / 255.0));
}
