// What kernels that pack boxes of an array, or unpack them, are told.
uniform Params {
    uint boxes;
    uint all_words; // of the cells of all boxes
    uint words;     // of a cell
    uint width;     // cells of the array along x
    uint height;    // and along y
} params;

// The word of the array that packed word `index` is.
uint word_of(uint index) {
    uvec3 cell = uvec3(texel_in_boxes(index / params.words, params.boxes));
    uint place = cell.x + params.width * (cell.y + params.height * cell.z);
    return params.words * place + index % params.words;
}
