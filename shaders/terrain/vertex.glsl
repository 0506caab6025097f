// What a mesh's vertices say of the surface, beside their place. C++: `TerrainVertex`.
#ifndef TERRAIN_VERTEX
#define TERRAIN_VERTEX

struct TerrainVertex {
    vec4 normal; // up or out; height: y of grounds; of planets that of the ground, below the sea
                 // negative; else 0
    vec4 place;  // u, v; level of the leaf; number of its square
};

#endif
