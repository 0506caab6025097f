// Which nodes are divided: those that look larger than a share of the picture from some eye.
//
// A node of side `size` at the distance z of its centre covers size / (2 z tan(fov / 2)) of the
// picture's height; it is divided where that is more than 1 / k, or size^2 > z^2 (c / k)^2 with
// c = 2 tan(fov / 2). On the ground, lengths are in units of 2^-31 of the square's side, so that
// the distance of cell and eye is exact to the last bit at all levels, and all devices and the CPU
// agree (passes/terrain/lod.hpp).
#ifndef TERRAIN_LOD
#define TERRAIN_LOD

#include "key.glsl"
#include "surface.glsl"

struct Eye {
    uvec2 cell;   // on the ground, units, clamped to the square
    vec2 rest;    // what lies beyond `cell`
    float height; // above the ground, units
    vec3 world;
};

// A point of the world as an eye. `units`: a world unit, in units of 2^-31 of the side.
Eye eye_of(vec3 world, vec4 ground, float units) {
    const float kSide = 2147483648.0;
    precise vec2 place = world.xz * units + 0.5 * kSide;
    precise float height = (world.y - ground.z) * units;
    vec2 low = clamp(floor(place), vec2(0.0), vec2(2147483520.0)); // the greatest float below kSide
    precise vec2 rest = place - low;
    return Eye(uvec2(low), rest, height, world);
}

// The square of the distance of a node's centre, and that of the node's size, in the same units.
vec2 squares_of(Node node, Eye eye, SurfaceTerms terms) {
    if (is_ground()) {
        uvec2 centre = (node.cell << 1u | 1u) << (30u - node.level);
        precise vec2 apart = vec2(ivec2(centre - eye.cell)) - eye.rest;
        precise float distance2 = (apart.x * apart.x + apart.y * apart.y) + eye.height * eye.height;
        float size = uintBitsToFloat((127u + 31u - node.level) << 23u); // 2^(31 - level)
        return vec2(distance2, size * size);
    }
    float side = uintBitsToFloat((127u - node.level) << 23u); // 2^-level
    uvec2 centre = (node.cell << 1u | 1u) << (30u - node.level);
    precise vec3 apart = surface_base_at(node.face, centre, terms) - eye.world;
    precise float distance2 = (apart.x * apart.x + apart.y * apart.y) + apart.z * apart.z;
    precise float size = surface_span(terms) * side;
    precise float size2 = size * size;
    return vec2(distance2, size2);
}

// `ratio`: (c / k)^2
bool is_large(Node node, Eye eye, float ratio, SurfaceTerms terms) {
    vec2 squares = squares_of(node, eye, terms);
    precise float limit = squares.x * ratio;
    return squares.y > limit;
}

// The sides of a cell: -x, +x, -y, +y.
const uint kSides = 4u;

// The node of the same level beyond a side; false where nothing is there.
bool neighbour_of(Node node, uint side, out Node beyond) {
    beyond = node;
    return step_beside(beyond.face, beyond.cell, side, 1u << node.level);
}

#endif
