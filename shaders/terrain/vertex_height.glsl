// The height that a vertex says. Above: terrain/surface.glsl.
#ifndef TERRAIN_VERTEX_HEIGHT
#define TERRAIN_VERTEX_HEIGHT

float height_at(uint face, uvec2 place, vec3 point) {
    if (surface_kind == kSurfacePlanet) return max(planet_height(face, place), 0.0);
    return is_ground() ? point.y : 0.0;
}

#endif
