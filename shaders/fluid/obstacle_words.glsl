// A word of the mask of solid cells: 32 cells along x. Before it: `params` with dims.

// The first cell of the invocation's word; y is beyond the field where there is no such word.
ivec3 first_cell(uint group_size) {
    uint word = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * group_size +
                gl_LocalInvocationIndex;
    uint row_words = uint(params.dims.x + 31) >> 5;
    uint row = word / row_words;
    return ivec3(32u * (word % row_words), row % uint(params.dims.y), row / uint(params.dims.y));
}
uint word_of(ivec3 cell) {
    uint row_words = uint(params.dims.x + 31) >> 5;
    return uint(cell.z * params.dims.y + cell.y) * row_words + uint(cell.x >> 5);
}
