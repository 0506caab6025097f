#ifndef GEOMETRY_PARAMS
#define GEOMETRY_PARAMS
// What all kernels of the rasterizer are told.
uniform Params {
    mat4 clip_from_mesh;
    uvec2 size; // of the picture
    uint vertices;
    uint triangles;
    uint cull;     // faces left out: 0 none, 1 front, 2 back
    uint room;     // for parts of large triangles
    uint capacity; // entries of tiles that there is room for
} params;

#endif
