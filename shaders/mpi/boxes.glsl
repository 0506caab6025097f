// Boxes of texels of an image, whose texels lie in a buffer, one box after the other.
#ifndef BOXES
#define BOXES
#include "divide.glsl"

struct Box {
    uvec4 size;     // texels along x, y, z; w: texels of all boxes before it
    uvec4 corner;   // its lowest texel in the image: x, y, z
    uvec4 divisors; // size.x and size.y
};

readonly buffer Boxes { Box list[]; } boxes;

// A texel of a box, counted from its lowest.
struct PlaceInBox {
    uint box;
    uvec3 texel;
};

// That is number `index` of those of all boxes, of which there are `count`.
PlaceInBox place_in_boxes(uint index, uint count) {
    uint low = 0;
    uint high = count - 1;
    while (low < high) { // the last box that begins at or before it
        uint middle = (low + high + 1) / 2;
        if (boxes.list[middle].size.w <= index)
            low = middle;
        else
            high = middle - 1;
    }
    uvec4 size = boxes.list[low].size;
    uint at = index - size.w;
    uvec4 divisors = boxes.list[low].divisors;
    uint row = divided_by(divisors.xy, at);
    uint slice = divided_by(divisors.zw, row);
    return PlaceInBox(low, uvec3(at - row * size.x, row - slice * size.y, slice));
}

// The same, counted in the image.
ivec3 texel_in_boxes(uint index, uint count) {
    PlaceInBox place = place_in_boxes(index, count);
    return ivec3(boxes.list[place.box].corner.xyz + place.texel);
}

#endif
