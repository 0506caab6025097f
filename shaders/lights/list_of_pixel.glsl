// Which list of a tile a pixel's surface is in.
#ifndef LIGHTS_LIST_OF_PIXEL
#define LIGHTS_LIST_OF_PIXEL

uint list_of_pixel(uvec2 pixel, uint side, uint tiles_x, uint lists, float depth, vec4 bound) {
    uint tile = pixel.y / side * tiles_x + pixel.x / side;
    return tile * lists + (lists == 2u && depth > bound.y ? 1u : 0u);
}

#endif
