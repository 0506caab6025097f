#version 460
// Copies the cells of some boxes of an array into boxes of another, and leaves the rest.
layout(local_size_x = 64) in;

#include "boxes.glsl"
#include "invocation.glsl"

readonly buffer Corners { uvec4 list[]; } corners; // of the boxes in the result
readonly buffer Source { uint words[]; } source;
writeonly buffer Result { uint words[]; } result;

uniform Params {
    uint boxes;
    uint all_words; // of the cells of all boxes
    uint words;     // of a cell
    uint width;     // cells of the source along x
    uint height;    // and along y
    uint result_width;
    uint result_height;
} params;

uint word_at(uvec3 cell, uint width, uint height, uint word) {
    return params.words * (cell.x + width * (cell.y + height * cell.z)) + word;
}

void main() {
    uint index = invocation_index();
    if (index >= params.all_words) return;
    PlaceInBox place = place_in_boxes(index / params.words, params.boxes);
    uint word = index % params.words;
    uvec3 from = boxes.list[place.box].corner.xyz + place.texel;
    uvec3 to = corners.list[place.box].xyz + place.texel;
    result.words[word_at(to, params.result_width, params.result_height, word)] =
        source.words[word_at(from, params.width, params.height, word)];
}
