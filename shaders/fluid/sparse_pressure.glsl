// The pressure's neighbours. Beyond walls it is that of the cell before them. Where bricks are not
// active and beyond open sides it is 0 in the middle of the first cell of the finest level; cells twice
// and more as large have a `ghost` there, their own pressure times a number.
#include "sparse_fields.glsl"

readonly buffer Pressure { float cells[]; } pressure;

struct Neighbors {
    float sum;
    float diagonal; // 6, and more where there are ghosts
};

float pressure_at(uint at) {
    return at == kNoBrick ? 0.0 : pressure.cells[at];
}
float missing(uint at) {
    return at == kNoBrick ? 1.0 : 0.0;
}

Neighbors pressure_around(WalkedCell walked, Sides sides, float ghost) {
    Beside at = cells_beside(walked, sides);
    precise float sum = pressure_at(at.high_x) + pressure_at(at.low_x);
    sum = sum + (pressure_at(at.high_y) + pressure_at(at.low_y));
    sum = sum + (pressure_at(at.high_z) + pressure_at(at.low_z));
    float ghosts = missing(at.low_x) + missing(at.high_x) + missing(at.low_y) + missing(at.high_y) +
                   missing(at.low_z) + missing(at.high_z);
    precise float diagonal = 6.0 - ghost * ghosts;
    return Neighbors(sum, diagonal);
}
