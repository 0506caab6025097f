#version 460
// Empties what a grid is counted in: one kernel for all, as the first triangles wait for it.

layout(local_size_x = 64) in;

#include "invocation.glsl"

// Of arrays that are written four words at a time.
uniform Params {
    uint count_quads;
    uint voxel_quads;
    uint block_quads;
    uint status_quads;
    uint scan_quads;
} params;

writeonly buffer Counts { uvec4 quads[]; } counts;
writeonly buffer Words { uvec4 quads[]; } words;
writeonly buffer Blocks { uvec4 quads[]; } blocks;
writeonly buffer Status { uvec4 quads[]; } status;
writeonly buffer ScanWords { uvec4 quads[]; } scan_words; // of the scan that adds up counts
writeonly buffer LargeCounts { uvec4 quad; } large_counts;
writeonly buffer NoStarts { uint word; } no_starts; // in place of starts while triangles are counted

void main() {
    uint i = invocation_index();
    if (i < params.count_quads) counts.quads[i] = uvec4(0u);
    if (i < params.voxel_quads) words.quads[i] = uvec4(0u);
    if (i < params.block_quads) blocks.quads[i] = uvec4(0u);
    if (i < params.status_quads) status.quads[i] = uvec4(0u);
    if (i < params.scan_quads) scan_words.quads[i] = uvec4(0u);
    if (i != 0u) return;
    large_counts.quad = uvec4(0u);
    no_starts.word = 0u;
}
