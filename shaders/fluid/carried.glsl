// What a flow carries: where it came from, and what is there.

uniform Params {
    ivec3 dye_dims;
    int scale; // cells of the dye to one of the flow, along each axis
    float dt;  // time units, unless a clock says it
    uint from_nothing; // 1: there is no dye before
    uint finish;       // 1: the result is that of the step
    float decay;       // 1 / time unit
    vec4 consumption;  // 1 / time unit
    float diffusion;   // cells of the dye^2 / time unit
    uint emitters;
    vec4 emitter_places[8];     // middle and radius, cells
    vec4 emitter_velocities[8]; // velocity, and the rate at which fluid takes it on
    vec4 emitter_dyes[8];
} params;

#include "emitters.glsl"
#include "solid.glsl"
#include "time.glsl"
#include "flow.glsl"

readonly buffer Before { vec4 cells[]; } before;

bool is_flat() {
    return params.dye_dims.z == 1;
}
// Cells of the dye to one of the flow.
ivec3 fineness() {
    return ivec3(params.scale, params.scale, is_flat() ? 1 : params.scale);
}
uint dye_index(ivec3 cell) {
    ivec3 fine = fineness();
    ivec2 held = kParts != 0u ? fine.xy * grid.held.xy : params.dye_dims.xy;
    return uint((held_at(2, cell.z, fine.z) * held.y + held_at(1, cell.y, fine.y)) * held.x +
                held_at(0, cell.x, fine.x));
}
ivec3 flow_cell(ivec3 cell) {
    return is_flat() ? ivec3(cell.xy / params.scale, 0) : cell / params.scale;
}

// A cell that may lie beyond a side. x: its index where it is in the field after all; y: 0 where
// it is in a solid, and 2 where what is there is clear fluid.
uvec2 dye_place(ivec3 cell) {
    for (int axis = 0; axis < 3; ++axis) {
        int size = params.dye_dims[axis];
        bool high = cell[axis] >= size;
        if (!high && cell[axis] >= 0) continue;
        uint face = face_of(axis, high);
        if (face == kInflow && !(axis == 2 && is_flat())) return uvec2(0u, 2u);
        cell[axis] = face == kPeriodic ? modulo(cell[axis], size)
                                       : clamp(cell[axis], 0, size - 1);
    }
    return uvec2(dye_index(cell), is_obstacle(flow_cell(cell)) ? 0u : 1u);
}

// Where the fluid in the middle of `cell` was `dt` ago, in cells of the dye. Flows on one grid for
// all have waves of two cells that stand still: fluid that crosses them evens them out, but a step
// over several cells would meet one place of them, and edges of the dye would get teeth. So it is
// gone in legs of up to a cell of the flow.
vec3 traced(ivec3 cell, float dt) {
    vec3 scale = vec3(fineness());
    vec3 here = (vec3(cell) + 0.5) / scale;
    vec3 velocity = params.scale == 1 ? flow_of(cell_index(cell)) : flow_at(here);
    vec3 crossed = abs(dt * velocity);
    int legs = clamp(int(ceil(max(max(crossed.x, crossed.y), crossed.z))), 1, 8);
    float time = dt / float(legs);
    for (int leg = 0; leg < legs; ++leg) {
        if (leg > 0) velocity = flow_at(here);
        here -= time * flow_at(here - 0.5 * time * velocity);
    }
    return here * scale;
}

// The cells of the dye around a place.
struct Around {
    Reach x;
    Reach y;
    Reach z;
};
// What is beyond sides of the bits of `clear` is clear fluid.
const uint kClearIn = 1u << kInflow | 1u << kOpen;
Around around(vec3 place, uint clear) {
    vec3 from = clamp(place, -vec3(params.dye_dims), 2.0 * vec3(params.dye_dims)) - 0.5;
    return Around(reach_along(0, params.dye_dims.x, from.x, clear),
                  reach_along(1, params.dye_dims.y, from.y, clear),
                  is_flat() ? reach_alone() : reach_along(2, params.dye_dims.z, from.z, clear));
}
// Corner `i` of the cells around: which it is, and its share.
ivec3 corner_of(Around near, int i) {
    return ivec3((i & 1) != 0 ? near.x.at.y : near.x.at.x, (i & 2) != 0 ? near.y.at.y : near.y.at.x,
                 (i & 4) != 0 ? near.z.at.y : near.z.at.x);
}
float share_of(Around near, int i) {
    return ((i & 1) != 0 ? near.x.share.y : near.x.share.x) *
           ((i & 2) != 0 ? near.y.share.y : near.y.share.x) *
           ((i & 4) != 0 ? near.z.share.y : near.z.share.x);
}
bool reaches_clear(Around near) {
    vec3 all = vec3(near.x.share.x + near.x.share.y, near.y.share.x + near.y.share.y,
                    near.z.share.x + near.z.share.y);
    return any(lessThan(all, vec3(0.999999)));
}
int corner_count() {
    return is_flat() ? 4 : 8;
}

// What a dye does besides being carried.

// What diffusion adds, from the state before the step; nothing through sides and into solids.
vec4 spread(ivec3 cell) {
    if (params.diffusion == 0.0 || params.from_nothing != 0u) return vec4(0.0);
    vec4 here = before.cells[dye_index(cell)];
    vec4 sum = vec4(0.0);
    int neighbours = is_flat() ? 4 : 6;
    for (int i = 0; i < neighbours; ++i) {
        ivec3 beside = cell;
        beside[i >> 1] += (i & 1) * 2 - 1;
        uvec2 place = dye_place(beside);
        if (place.y == 1u) sum += before.cells[place.x] - here;
        if (place.y == 2u) sum -= here;
    }
    return params.diffusion * elapsed(params.dt) * sum;
}

// What an emitter leaves of the dye of fluid that has come `from` there. It gives all the way, which
// is looked at once a cell: where fluid crosses more than one in a step, what it passes would else
// have teeth.
float left_by(uint emitter, vec3 here, vec3 from) {
    int looks = clamp(int(ceil(distance(here, from))), 1, 8);
    float taken = taken_on(params.emitter_velocities[emitter].w, elapsed(params.dt) / float(looks));
    float left = 1.0;
    for (int k = 0; k < looks; ++k)
        left *= 1.0 - taken * within_emitter(params.emitter_places[emitter],
                                             mix(here, from, float(k) / float(looks)));
    return left;
}

vec4 changed(ivec3 cell, vec3 from, vec4 dye) {
    float time = elapsed(params.dt);
    dye = max((dye + spread(cell)) * exp(-params.decay * time) - params.consumption * time, 0.0);
    for (uint i = 0u; i < params.emitters; ++i)
        dye = mix(params.emitter_dyes[i], dye, left_by(i, vec3(cell) + 0.5, from));
    return dye;
}
