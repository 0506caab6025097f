#version 460
// What erosions have made as a field; the status says how they ended.
//! variants CHANNELS=1,2

layout(local_size_x = 16, local_size_y = 16) in;

#include "done.glsl"
#include "status.glsl"

uniform usampler2D eroded;
readonly buffer RowPasses { uint count; } row_passes;
readonly buffer ColumnPasses { uint count; } column_passes;
readonly buffer RowsDone { uint words[]; } rows_done;       // by pass; 1: it found nothing to do
readonly buffer ColumnsDone { uint words[]; } columns_done;
uniform writeonly uimage2D field;

uniform Params {
    uint unreached;
    uint clamped;        // in place of that
    uint object_outside;
    uint changing_rows;  // passes that may change something; one more may only look
    uint changing_columns;
} params;

bool is_finished() {
    return rows_done.words[done_word(row_passes.count - 1u)] != 0u &&
           columns_done.words[done_word(column_passes.count - 1u)] != 0u;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(texel, imageSize(field)))) return;
    uvec2 value = texelFetch(eroded, texel, 0).rg;
    bvec2 missing = equal(value, uvec2(params.unreached));
    imageStore(field, texel, uvec4(mix(value, uvec2(params.clamped), missing), 0u, 0u));

    bool finished = is_finished();
    bool cut = missing.x && (status.objects != 0u || params.object_outside != 0u);
#if CHANNELS == 2
    cut = cut || (missing.y && status.background != 0u);
#endif
    if (cut && finished && params.clamped == params.unreached)
        atomicOr(status.codes, kFlattened);
    if (texel != ivec2(0)) return;
    status.row_passes = min(row_passes.count, params.changing_rows);
    status.passes = status.row_passes + min(column_passes.count, params.changing_columns);
    if (!finished) atomicOr(status.codes, kUnfinished);
#if CHANNELS == 2
    if (status.background == 0u) atomicOr(status.codes, kFullSeed);
#endif
}
