// The pressure's neighbours. Beyond walls it is that of the cell before them. Where bricks are not
// active and beyond open sides it is 0 in the middle of the first cell of the finest level; cells twice
// and more as large have a `ghost` there, their own pressure times a number.
#include "sparse_fields.glsl"

readonly buffer Pressure { float cells[]; } pressure;

struct Neighbors {
    float sum;
    float diagonal; // 6, and more where there are ghosts
};

Neighbors pressure_around(WalkedCell walked, bool kept, float ghost) {
    precise float sum = 0.0;
    float missing = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        precise float both = 0.0;
        for (int side = 1; side >= -1; side -= 2) {
            uint at = index_beside(walked, axis, side, kept);
            if (at == kNoBrick) missing += 1.0;
            else both = both + pressure.cells[at];
        }
        sum = sum + both;
    }
    return Neighbors(sum, 6.0 - ghost * missing);
}
