#version 460
// Which share of the light reaches each cell of active bricks, by a walk towards it through smoke.
// Bricks that are not active are crossed at once. HALF: on cells of 16 bits.
//! variants HALF=0,1

layout(local_size_x = 256) in;

#include "cells.glsl"
#include "sparse/walk.glsl"
#include "sparse/map.glsl"

uniform Params {
    float extinction;   // of smoke of amount 1, 1 / cell
    vec3 towards_light; // of unit length
    float step_length;  // cells
} params;

readonly buffer Dye { StoredCell cells[]; } dye;
writeonly buffer Reached { float values[]; } reached;

const float kDark = 0.004;
const int kMaxSteps = 4096;

void main() {
    if (!group_has_brick()) return;
    WalkedCell walked = walked_cell();
    if (!walked.exists) return;
    vec3 from = vec3(walked.origin + walked.local) + 0.5;
    vec3 inverse = 1.0 / mix(params.towards_light, vec3(1e-9),
                             lessThan(abs(params.towards_light), vec3(1e-9)));
    float depth = 0.0;
    float way = 0.0;
    for (int i = 0; i < kMaxSteps; ++i) {
        way += params.step_length;
        vec3 place = from + way * params.towards_light;
        ivec3 cell = ivec3(floor(place));
        if (!is_in_domain(cell)) break;
        uint at = find_cell(cell);
        if (at == kNoBrick) { // to the last step in the brick
            vec3 low = vec3(cell / kBrick * kBrick);
            vec3 far = max((low - from) * inverse, (low + vec3(kBrick) - from) * inverse);
            float out_at = min(min(far.x, far.y), far.z);
            way = max(way, params.step_length * floor(out_at / params.step_length));
            continue;
        }
        vec4 smoke = cell_of(dye.cells[at]);
        depth += params.step_length * max(smoke.r + smoke.g + smoke.b, 0.0) * (1.0 / 3.0);
        if (exp(-params.extinction * depth) < kDark) break;
    }
    reached.values[walked.index] = exp(-params.extinction * depth);
}
