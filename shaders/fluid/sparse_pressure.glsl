// The pressure's neighbours. Where bricks are not active and beyond open sides it is 0, beyond walls
// that of the cell before them.
#include "sparse_fields.glsl"

readonly buffer Pressure { float cells[]; } pressure;

float pressure_at(WalkedCell walked, ivec3 local, bool kept) {
    uint at = index_at(walked, local, kept);
    return at == kNoBrick ? 0.0 : pressure.cells[at];
}
float pressure_sum(WalkedCell walked, bool kept) {
    precise float sum = 0.0;
    for (int axis = 0; axis < 3; ++axis)
        sum = sum + (pressure_at(walked, walked.local + along(axis, 1), kept) +
                     pressure_at(walked, walked.local + along(axis, -1), kept));
    return sum;
}
