#version 460
// The vertices of a pass that draws: none once an occlusion query has counted no samples. Passes
// without vertices count none, so all later ones have none either.

layout(local_size_x = 1) in;

#include "done.glsl"

readonly buffer Samples { uint count; } samples; // of the pass before; for the first 1
buffer Done { uint words[]; } done;              // of each pass: 0 where it changed something
buffer Passes { uint count; } passes;
writeonly buffer Arguments { uint words[]; } arguments;

uniform Params {
    uint pass;
    uint vertices; // 0: there is no further pass
} params;

void main() {
    bool changed = samples.count != 0u;
    if (params.pass != 0u && changed) done.words[done_word(params.pass - 1u)] = 0u;
    bool runs = changed && params.vertices != 0u;
    arguments.words[0] = runs ? params.vertices : 0u;
    arguments.words[1] = 1u;
    arguments.words[2] = 0u;
    arguments.words[3] = 0u;
    if (runs) passes.count += 1u;
}
