// One step of the density-invariant solver: advection by a trace back, viscosity, pressure from the
// density's gradient, forces, and the density from conservation of mass, all from the state before.
// Guay, Colin and Egli, "Simple and Fast Fluids", GPU Pro 2, 2011.
//
// A group walks along the last axis with a plane of cells, a column to each invocation. What an
// invocation has seen of its own column it keeps; what others look at is in a ring of planes in
// shared memory, in which what is beyond the sides and in solids is already in place, so that the
// stencil knows no special case. The columns at the rim of the plane are other groups' to step: they
// are there to be looked at.
//
// Before it: kAxes; kTwoStage, where the pressure is that of the new density (stable without
// viscosity); the local size, that of the plane.

uniform Params {
    ivec3 dims;
    uint faces;
    int depth;       // planes that a group steps
    float dt;        // time units
    float stiffness; // K: dt times the pressure of a unit of density
    float viscosity; // cells^2 / time unit
    float fastest;   // 1 / dt, cells / time unit
    vec3 force;      // acceleration of all fluid
    vec3 inflow;
    uint from_rest;  // 1: the state before is not looked at
#include "fluid/motion_params.glsl"
#include "fluid/emitter_params.glsl"
} params;

#include "fluid/emitters.glsl"
#include "fluid/finite.glsl"
#include "fluid/motion.glsl"
#include "fluid/solid.glsl"

layout(constant_id = 1) const uint kForced = 0u;  // 1: there is a force for each cell
layout(constant_id = 2) const uint kEndless = 0u; // 1: all sides are periodic
const bool kBlocked = kMasked != 0u || kEndless == 0u; // there may be solids

readonly buffer Before { vec4 cells[]; } before;
readonly buffer Forces { vec4 cells[]; } forces;
writeonly buffer After { vec4 cells[]; } after;
buffer Status { uint words[]; } status; // densities and speeds clamped, cells and forces not finite

const int kWalk = kAxes - 1;          // the axis along which groups walk
const int kHalo = kTwoStage ? 2 : 1;  // cells beyond its own that a step looks at
const ivec2 kRim = ivec2(kHalo, kAxes == 3 ? kHalo : 0);
const int kRow = int(gl_WorkGroupSize.x);
const int kSpanCells = kRow * int(gl_WorkGroupSize.y);
const int kBeyond = kAxes == 3 ? kRow : 1; // so far beyond the plane its outermost columns look
const int kRing = 4;                          // planes
const float kSolid = -2e30;   // in place of a density - 1
const float kLowest = -1e30; // that of a state is taken as no lower, so that it is no solid's
const float kLeast = -0.5;
const float kMost = 2.0;

const int kFieldCells = kRing * kSpanCells + 2 * kBeyond;
const int kDensity = kAxes * kFieldCells;
shared float tile[(kAxes + 1) * kFieldCells];      // velocity, and density - 1
shared float staged[2 * kSpanCells + 2 * kBeyond]; // density - 1 after the step, two planes

bool is_solid(float density) {
    return kBlocked && density == kSolid;
}

// The first axis beyond whose side a cell is decides, but that open sides leave it to the others.
uint first_beyond(uint a, uint b) {
    return a == kWithin || (a == kOpen && b != kWithin) ? b : a;
}

// The cells in a line along the axis of the walk.
struct Column {
    ivec3 cell;  // that of plane 0, where the column is within the sides
    uint beyond; // which side the column is
    bool own;    // this group stores it
};

Column column_at(ivec2 place) {
    Place x = place_along(0, params.dims.x, place.x);
    Column column = Column(ivec3(x.at, 0, 0), x.beyond, false);
    if (kAxes == 3) {
        Place y = place_along(1, params.dims.y, place.y);
        column.cell.y = y.at;
        column.beyond = first_beyond(x.beyond, y.beyond);
    }
    return column;
}

// The side beyond which the column's cell in a plane is, if that is beyond `plane`.
uint beyond_of(Column column, uint plane) {
    return kEndless != 0u ? kWithin : first_beyond(column.beyond, plane);
}

// A cell as memory has it; what that means is asked later, so that its way is not waited for.
struct Seen {
    vec4 value;
    uint word; // of the mask of solid cells
};

ivec3 cell_in(Column column, Place plane) {
    ivec3 cell = column.cell;
    cell[kWalk] = plane.at;
    return cell;
}

Seen look(Column column, Place plane) {
    Seen seen = Seen(vec4(0.0), 0u);
    ivec3 cell = cell_in(column, plane);
    if (params.from_rest == 0u) seen.value = before.cells[cell_index(cell)];
    if (kMasked != 0u) seen.word = solid.words[solid_word(cell)];
    return seen;
}

vec4 understood(Seen seen, Column column, Place plane) {
    uint beyond = beyond_of(column, plane.beyond);
    if (beyond == kWall) return vec4(0.0, 0.0, 0.0, kSolid);
    if (beyond == kInflow) return vec4(params.inflow, 0.0);
    if (kMasked != 0u) {
        ivec3 cell = cell_in(column, plane);
        if ((seen.word >> uint(cell.x & 31) & 1u) != 0u)
            return vec4(solid_velocity(vec3(cell) + 0.5), kSolid);
    }
    if (!is_finite(seen.value)) {
        if (column.own) atomicAdd(status.words[2], 1u);
        return vec4(0.0);
    }
    if (beyond == kOpen) seen.value.w = 0.0;
    seen.value.w = max(seen.value.w, kLowest);
    return seen.value;
}

void put(int at, vec4 value) {
    tile[at] = value.x;
    tile[kFieldCells + at] = value.y;
    if (kAxes == 3) tile[2 * kFieldCells + at] = value.z;
    tile[kDensity + at] = value.w;
}
vec3 velocity_in(int at) {
    vec3 velocity = vec3(tile[at], tile[kFieldCells + at], 0.0);
    if (kAxes == 3) velocity.z = tile[2 * kFieldCells + at];
    return velocity;
}
int plane_in_ring(int plane) {
    return kBeyond + (plane & (kRing - 1)) * kSpanCells; // of planes from -2 on
}
int plane_staged(int plane) {
    return kBeyond + (plane & 1) * kSpanCells;
}

float pressed(float density, float other) { // that of a solid is what the fluid beside it has
    return is_solid(other) ? density : other;
}

// What flows into a cell along an axis: u . grad(density) + density div(u), of the velocities along
// it. With differences over two cells the sum over all cells does not change. But they do not see
// waves two cells long, which would stand for ever: in two stages viscosity damps those of the
// density as it does those of the velocity.
float flow_along(vec2 low, vec2 own, vec2 high) {
    float below = pressed(own.y, low.y);
    float above = pressed(own.y, high.y);
    float flow = 0.5 * (above - below) * own.x + (1.0 + own.y) * (0.5 * (high.x - low.x));
    return kTwoStage ? flow - params.viscosity * (below + above - 2.0 * own.y) : flow;
}

// density - 1 after the step. `at` in the tile; before and behind it are its neighbours along the
// walk.
float next_density(int at, vec4 behind, vec4 cell, vec4 ahead) {
    float flow = flow_along(vec2(tile[at - 1], tile[kDensity + at - 1]), cell.xw,
                            vec2(tile[at + 1], tile[kDensity + at + 1]));
    if (kAxes == 3)
        flow += flow_along(vec2(tile[kFieldCells + at - kRow], tile[kDensity + at - kRow]), cell.yw,
                           vec2(tile[kFieldCells + at + kRow], tile[kDensity + at + kRow]));
    flow += flow_along(vec2(behind[kWalk], behind.w), vec2(cell[kWalk], cell.w),
                       vec2(ahead[kWalk], ahead.w));
    return cell.w - params.dt * flow;
}

float held_density(float density, bool own) {
    if (own && (density < kLeast || density > kMost)) atomicAdd(status.words[0], 1u);
    return clamp(density, kLeast, kMost);
}

// The density whose gradient presses; beyond sides that are not periodic the new one is at rest.
float pressing_density(Column column, uint beyond, int at, vec4 behind, vec4 cell, vec4 ahead) {
    if (is_solid(cell.w)) return kSolid;
    if (beyond_of(column, beyond) != kWithin) return 0.0;
    return held_density(next_density(at, behind, cell, ahead), column.own);
}

vec3 towards(vec3 a, vec3 b, float share) {
    return a + share * (b - a);
}

// The cells on both sides of one along an axis: velocities, and the density that presses.
struct Pair {
    vec4 low;
    vec4 high;
};

struct Sides {
    Pair x;
    Pair y;
    Pair z; // in two dimensions not looked at
};

vec3 back_of(Pair pair, float way) {
    return way > 0.0 ? pair.low.xyz : pair.high.xyz;
}

// The velocity where the fluid was a step ago, less than a cell away. `at` is the cell's place in
// its plane.
vec3 traced_back(int plane, int at, vec3 velocity, Sides sides) {
    vec3 way = clamp(params.dt * velocity, -1.0, 1.0);
    vec3 share = abs(way);
    ivec3 back = ivec3(greaterThan(way, vec3(0.0))) * -2 + 1;
    vec3 beside_x = back_of(sides.x, way.x);
    vec3 beside_y = back_of(sides.y, way.y);
    int behind = plane_in_ring(plane + back[kWalk]) + at;
    if (kAxes == 2)
        return towards(towards(velocity, beside_x, share.x),
                       towards(beside_y, velocity_in(behind + back.x), share.x), share.y);
    int here = plane_in_ring(plane) + at;
    int y = back.y * kRow;
    vec3 near = towards(towards(velocity, beside_x, share.x),
                        towards(beside_y, velocity_in(here + y + back.x), share.x), share.y);
    vec3 far = towards(towards(back_of(sides.z, way.z), velocity_in(behind + back.x), share.x),
                       towards(velocity_in(behind + y), velocity_in(behind + y + back.x), share.x),
                       share.y);
    return towards(near, far, share.z);
}

vec3 given_force(uint index) {
    if (kForced == 0u) return params.force;
    vec4 force = forces.cells[index];
    if (is_finite(force)) return params.force + force.xyz;
    atomicAdd(status.words[3], 1u);
    return params.force;
}

float pressure_slope(Pair pair, float own) {
    return 0.5 * (pressed(own, pair.high.w) - pressed(own, pair.low.w));
}

// Beside solids fluid goes along the axis as they do.
float unless_blocked(Pair pair, int axis, float velocity) {
    bool low = is_solid(pair.low.w);
    bool high = is_solid(pair.high.w);
    if (low && high) return 0.5 * (pair.low[axis] + pair.high[axis]);
    return low ? pair.low[axis] : high ? pair.high[axis] : velocity;
}

void store(ivec3 cell, int plane, int at, vec4 old, float density, Sides sides) {
    uint index = cell_index(cell);
    if (is_solid(old.w)) {
        after.cells[index] = vec4(old.xyz, 0.0); // what fluid begins with where a solid moves off
        return;
    }
    float own = kTwoStage ? density : old.w;
    vec3 gradient = vec3(pressure_slope(sides.x, own), pressure_slope(sides.y, own), 0.0);
    vec3 around = sides.x.low.xyz + sides.x.high.xyz + (sides.y.low.xyz + sides.y.high.xyz);
    if (kAxes == 3) {
        gradient.z = pressure_slope(sides.z, own);
        around += sides.z.low.xyz + sides.z.high.xyz;
    }
    vec3 laplacian = around - float(2 * kAxes) * old.xyz;
    vec3 velocity = traced_back(plane, at, old.xyz, sides) +
                    params.dt * (params.viscosity * laplacian + given_force(index)) -
                    params.stiffness * gradient;
    for (uint i = 0u; i < params.emitters; ++i)
        velocity = towards(velocity, params.emitter_velocities[i].xyz,
                           emitted_share(i, vec3(cell) + 0.5, params.dt));
    velocity.x = unless_blocked(sides.x, 0, velocity.x);
    velocity.y = unless_blocked(sides.y, 1, velocity.y);
    velocity.z = kAxes == 3 ? unless_blocked(sides.z, 2, velocity.z) : 0.0;

    vec3 held = clamp(velocity, -params.fastest, params.fastest);
    if (held != velocity) atomicAdd(status.words[1], 1u);
    after.cells[index] = vec4(held, density);
}

// A cell's neighbours within its plane.
Pair sides_in_plane(int plane, int at, int stride) {
    int here = plane_in_ring(plane) + at;
    Pair pair = Pair(vec4(velocity_in(here - stride), 0.0), vec4(velocity_in(here + stride), 0.0));
    int pressing = plane_staged(plane) + at;
    pair.low.w = kTwoStage ? staged[pressing - stride] : tile[kDensity + here - stride];
    pair.high.w = kTwoStage ? staged[pressing + stride] : tile[kDensity + here + stride];
    return pair;
}

// Of the own column: the planes before the newest, and the new densities of those.
vec4 third = vec4(0.0), second = vec4(0.0), last = vec4(0.0);
float density_third = 0.0, density_second = 0.0;
uint last_beyond = kWithin;
// The newest, as it comes in.
Place plane;
Seen seen;

Column column;
bool stores; // the column is the group's
int begin;   // planes of the group
int end;

// Takes a plane in, finds the new density of the one before it, and steps the one before that.
void advance(int newest) {
    int lane = int(gl_LocalInvocationIndex);
    column.own = stores && newest >= begin && newest < end;
    vec4 value = understood(seen, column, plane);
    uint beyond = plane.beyond;
    if (newest + 1 < end + kHalo) {
        plane = place_along(kWalk, params.dims[kWalk], newest + 1);
        seen = look(column, plane);
    }
    barrier(); // the planes before the newest are in place

    float density = 0.0;
    column.own = stores && newest - 1 >= begin && newest - 1 < end;
    if (newest - 1 > begin - kHalo) {
        density = pressing_density(column, last_beyond, plane_in_ring(newest - 1) + lane, second,
                                   last, value);
        if (kTwoStage) staged[plane_staged(newest - 1) + lane] = density;
    }
    if (stores && newest - 2 >= begin && newest - 2 < end) {
        Pair walk = Pair(vec4(third.xyz, kTwoStage ? density_third : third.w),
                         vec4(last.xyz, kTwoStage ? density : last.w));
        Sides sides = Sides(sides_in_plane(newest - 2, lane, 1), walk, walk);
        if (kAxes == 3) sides.y = sides_in_plane(newest - 2, lane, kRow);
        ivec3 cell = column.cell;
        cell[kWalk] = newest - 2;
        store(cell, newest - 2, lane, second, density_second, sides);
    }
    put(plane_in_ring(newest) + lane, value);

    third = second;
    second = last;
    last = value;
    density_third = density_second;
    density_second = density;
    last_beyond = beyond;
}

void main() {
    ivec2 own = ivec2(gl_WorkGroupSize.xy) - 2 * kRim;
    ivec2 corner = (kAxes == 3 ? ivec2(gl_WorkGroupID.xy) : ivec2(gl_WorkGroupID.x, 0)) * own;
    begin = int(gl_WorkGroupID[kWalk]) * params.depth;
    end = min(begin + params.depth, params.dims[kWalk]);

    ivec2 off = ivec2(gl_LocalInvocationID.xy) - kRim;
    column = column_at(corner + off);
    stores = off.x >= 0 && off.x < own.x && corner.x + off.x < params.dims.x;
    if (kAxes == 3)
        stores = stores && off.y >= 0 && off.y < own.y && corner.y + off.y < params.dims.y;

    plane = place_along(kWalk, params.dims[kWalk], begin - kHalo);
    seen = look(column, plane);
    for (int newest = begin - kHalo; newest < end + 2; newest += 2) {
        advance(newest); // twice, so that what is kept need not be moved as often
        advance(newest + 1);
    }
}
