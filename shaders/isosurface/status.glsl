// What a search for a surface counts: `IsosurfaceStatus` of passes/isosurface/isosurface.hpp, member
// by member.
#ifndef ISOSURFACE_STATUS
#define ISOSURFACE_STATUS

struct SurfaceStatus {
    uint vertices;  // also those without room
    uint triangles; // also those without room
    uint blocks;    // that the surface goes through, also those without room
    uint cells;     // that it goes through, where it is found cell by cell
    uint not_finite;
    uint vertex_room;
    uint triangle_room;
    uint block_room;
    uint cell_room;
};

#endif
