    // Of the array that a rank has of a grid. C++: `set_part`.
    ivec3 size;  // cells of the array along each axis, with its halo
    ivec3 halo;  // cells beside the part; 0: the part is the whole axis
    ivec3 first; // the part's lowest cell in the grid
