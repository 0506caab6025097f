#version 460
// The vertices of a pass that draws: none once a pass has found nothing to do. The words of passes
// that did not run stay 1, so all later ones have none either.

layout(local_size_x = 1) in;

#include "done.glsl"

readonly buffer Done { uint words[]; } done;
buffer Passes { uint count; } passes;
writeonly buffer Arguments { uint words[]; } arguments;

uniform Params {
    uint pass;
    uint vertices;
} params;

void main() {
    bool runs = params.pass == 0u || done.words[done_word(params.pass - 1u)] == 0u;
    arguments.words[0] = runs ? params.vertices : 0u;
    arguments.words[1] = 1u;
    arguments.words[2] = 0u;
    arguments.words[3] = 0u;
    if (runs) passes.count += 1u;
}
