#version 460
// How many cells each ray may be put into in this round: as many as there is room for.

layout(local_size_x = 1) in;

uniform Params {
    uint room; // for links
    uint most; // of a ray
} params;

readonly buffer ActiveCount { uint word; } active_count;
writeonly buffer Budget { uint word; } budget;
writeonly buffer LinkCount { uint word; uint batches[2]; } link_count;
writeonly buffer RoundTests { uint words[2]; } round_tests;

void main() {
    budget.word = clamp(params.room / max(active_count.word, 1u), 1u, params.most);
    link_count.word = 0u;
    link_count.batches[0] = 0u;
    link_count.batches[1] = 0u;
    round_tests.words[0] = 0u;
    round_tests.words[1] = 0u;
}
