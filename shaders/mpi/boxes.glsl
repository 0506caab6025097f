// Boxes of texels of an image, whose texels lie in a buffer, one box after the other.
#ifndef BOXES
#define BOXES

struct Box {
    uvec4 size;   // texels along x, y, z; w: texels of all boxes before it
    uvec4 corner; // its lowest texel in the image: x, y, z
};

readonly buffer Boxes { Box list[]; } boxes;

// The texel that is number `index` of those of all boxes, of which there are `count`.
ivec3 texel_in_boxes(uint index, uint count) {
    uint low = 0;
    uint high = count - 1;
    while (low < high) { // the last box that begins at or before it
        uint middle = (low + high + 1) / 2;
        if (boxes.list[middle].size.w <= index)
            low = middle;
        else
            high = middle - 1;
    }
    Box box = boxes.list[low];
    uint at = index - box.size.w;
    uint row = at / box.size.x;
    return ivec3(box.corner.xyz + uvec3(at % box.size.x, row % box.size.y, row / box.size.y));
}

#endif
