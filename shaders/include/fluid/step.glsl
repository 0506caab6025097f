// One step of the density-invariant solver: advection by a trace back, viscosity, pressure from the
// density's gradient, forces, and the density from conservation of mass, all from the state before.
// Guay, Colin and Egli, "Simple and Fast Fluids", GPU Pro 2, 2011.
//
// A group walks along the last axis with a plane of kTile cells, a column to each invocation. What
// it has seen of its own column it keeps; what others look at is in a ring of planes in shared
// memory, in which what is beyond the sides and in solids is already in place, so that the stencil
// knows no special case. A cell is read once by its group, and by others at the rim of theirs.
//
// Before it: kAxes; kTile; kTwoStage, where the pressure is that of the new density (stable without
// viscosity).

const int kGroup = kTile.x * kTile.y;
layout(local_size_x = kGroup) in;

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

layout(constant_id = 1) const uint kForced = 0u; // 1: there is a force for each cell

readonly buffer Before { vec4 cells[]; } before;
readonly buffer Forces { vec4 cells[]; } forces;
writeonly buffer After { vec4 cells[]; } after;
buffer Status { uint words[]; } status; // densities and speeds clamped, cells and forces not finite

const int kWalk = kAxes - 1;          // the axis along which groups walk
const int kHalo = kTwoStage ? 2 : 1;  // cells beyond its own that a step looks at
const ivec2 kRim = ivec2(kHalo, kAxes == 3 ? kHalo : 0);
const ivec2 kSpan = kTile + 2 * kRim;
const int kSpanCells = kSpan.x * kSpan.y;
const int kRimCells = kSpanCells - kGroup; // fewer than invocations
const int kRing = 4;                       // planes
const float kSolid = -2.0; // in place of a density; those of fluids are -0.5 to 2
const float kLeast = -0.5;
const float kMost = 2.0;

shared float tile[kAxes + 1][kRing * kSpanCells]; // velocity, and density - 1
shared float staged[2 * kSpanCells];              // density - 1 after the step, two planes

bool is_solid(float density) {
    return density == kSolid;
}

// The first axis beyond whose side a cell is decides, but that open sides leave it to the others.
uint first_beyond(uint a, uint b) {
    return a == kWithin || (a == kOpen && b != kWithin) ? b : a;
}

// The cells in a line along the axis of the walk.
struct Column {
    ivec3 cell;  // that of plane 0, where the column is within the sides
    uint beyond; // which side the column is
    int at;      // where the plane's cell is in the tile
    bool own;    // this group stores it
};

Column column_at(ivec2 corner, ivec2 place) {
    Place x = place_along(0, params.dims.x, corner.x + place.x);
    Column column = Column(ivec3(x.at, 0, 0), x.beyond, 0, false);
    if (kAxes == 3) {
        Place y = place_along(1, params.dims.y, corner.y + place.y);
        column.cell.y = y.at;
        column.beyond = first_beyond(x.beyond, y.beyond);
    }
    column.at = place.x + kRim.x + kSpan.x * (place.y + kRim.y);
    return column;
}

// Places around the tile, the nearest ones of each side first.
ivec2 rim_place(int i) {
    const int kBeside = 2 * kRim.x * kTile.y;
    if (i < kBeside) {
        int out_of = i / kTile.y;
        int x = (out_of & 1) == 0 ? -1 - out_of / 2 : kTile.x + out_of / 2;
        return ivec2(x, i % kTile.y);
    }
    i -= kBeside;
    int out_of = i / kSpan.x;
    int y = (out_of & 1) == 0 ? -1 - out_of / 2 : kTile.y + out_of / 2;
    return ivec2(i % kSpan.x - kRim.x, y);
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

vec4 understood(Seen seen, Column column, Place plane, bool own) {
    uint beyond = first_beyond(column.beyond, plane.beyond);
    if (beyond == kWall) return vec4(0.0, 0.0, 0.0, kSolid);
    if (beyond == kInflow) return vec4(params.inflow, 0.0);
    if (kMasked != 0u) {
        ivec3 cell = cell_in(column, plane);
        if ((seen.word >> uint(cell.x & 31) & 1u) != 0u)
            return vec4(solid_velocity(vec3(cell) + 0.5), kSolid);
    }
    if (!is_finite(seen.value)) {
        if (own) atomicAdd(status.words[2], 1u);
        return vec4(0.0);
    }
    if (beyond == kOpen) seen.value.w = 0.0;
    return seen.value;
}

void put(int at, vec4 value) {
    tile[0][at] = value.x;
    tile[1][at] = value.y;
    if (kAxes == 3) tile[2][at] = value.z;
    tile[kAxes][at] = value.w;
}
vec3 velocity_in(int at) {
    vec3 velocity = vec3(tile[0][at], tile[1][at], 0.0);
    if (kAxes == 3) velocity.z = tile[2][at];
    return velocity;
}
int plane_in_ring(int plane) {
    return (plane & (kRing - 1)) * kSpanCells; // of planes from -2 on
}
int plane_staged(int plane) {
    return (plane & 1) * kSpanCells;
}

float pressed(float density, float other) { // that of a solid is what the fluid beside it has
    return is_solid(other) ? density : other;
}

// What flows into a cell along an axis: u . grad(density) + density div(u), of the velocities along
// it. With differences over two cells the sum over all cells does not change.
float flow_along(vec2 low, vec2 own, vec2 high) {
    float gradient = 0.5 * (pressed(own.y, high.y) - pressed(own.y, low.y));
    return gradient * own.x + (1.0 + own.y) * (0.5 * (high.x - low.x));
}

// density - 1 after the step. `at` in the tile; before and behind it are its neighbours along the
// walk.
float next_density(int at, vec4 behind, vec4 cell, vec4 ahead) {
    float flow = flow_along(vec2(tile[0][at - 1], tile[kAxes][at - 1]), cell.xw,
                            vec2(tile[0][at + 1], tile[kAxes][at + 1]));
    if (kAxes == 3)
        flow += flow_along(vec2(tile[1][at - kSpan.x], tile[kAxes][at - kSpan.x]), cell.yw,
                           vec2(tile[1][at + kSpan.x], tile[kAxes][at + kSpan.x]));
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
    if (first_beyond(column.beyond, beyond) != kWithin) return 0.0;
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
    int y = back.y * kSpan.x;
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
    pair.low.w = kTwoStage ? staged[pressing - stride] : tile[kAxes][here - stride];
    pair.high.w = kTwoStage ? staged[pressing + stride] : tile[kAxes][here + stride];
    return pair;
}

void main() {
    int first = int(gl_LocalInvocationIndex);
    ivec2 group = kAxes == 3 ? ivec2(gl_WorkGroupID.xy) : ivec2(gl_WorkGroupID.x, 0);
    ivec2 corner = group * kTile;
    int planes = params.dims[kWalk];
    int begin = int(gl_WorkGroupID[kWalk]) * params.depth;
    int end = min(begin + params.depth, planes);

    ivec2 place = ivec2(first % kTile.x, first / kTile.x);
    Column column = column_at(corner, place);
    bool stores = corner.x + place.x < params.dims.x &&
                  (kAxes == 2 || corner.y + place.y < params.dims.y);
    bool has_rim = first < kRimCells;
    ivec2 around = rim_place(min(first, kRimCells - 1));
    Column rim = column_at(corner, around);
    // The new density is needed a cell around the tile.
    bool stages_rim = kTwoStage && has_rim && around.x >= -1 && around.x <= kTile.x &&
                      (kAxes == 2 || (around.y >= -1 && around.y <= kTile.y));

    // Of the own column: the planes before the newest, and the new densities of those.
    vec4 third = vec4(0.0), second = vec4(0.0), last = vec4(0.0);
    vec4 rim_second = vec4(0.0), rim_last = vec4(0.0);
    float density_third = 0.0, density_second = 0.0;
    Place plane_last = Place(0, kWithin);

    Place plane = place_along(kWalk, planes, begin - kHalo);
    Seen seen = look(column, plane);
    Seen seen_rim = look(rim, plane);
    for (int newest = begin - kHalo; newest < end + 2; ++newest) {
        bool own = stores && newest >= begin && newest < end;
        vec4 value = understood(seen, column, plane, own);
        vec4 rim_value = understood(seen_rim, rim, plane, false);
        Place plane_newest = plane;
        if (newest + 1 < end + kHalo) {
            plane = place_along(kWalk, planes, newest + 1);
            seen = look(column, plane);
            if (has_rim) seen_rim = look(rim, plane);
        }
        barrier(); // the planes before the newest are in place

        float density = 0.0;
        column.own = stores && newest - 1 >= begin && newest - 1 < end;
        if (newest - 1 > begin - kHalo) {
            int at = plane_in_ring(newest - 1);
            density = pressing_density(column, plane_last.beyond, at + column.at, second, last,
                                       value);
            if (kTwoStage) {
                staged[plane_staged(newest - 1) + column.at] = density;
                if (stages_rim)
                    staged[plane_staged(newest - 1) + rim.at] = pressing_density(
                        rim, plane_last.beyond, at + rim.at, rim_second, rim_last, rim_value);
            }
        }
        if (stores && newest - 2 >= begin) {
            Pair walk = Pair(vec4(third.xyz, kTwoStage ? density_third : third.w),
                             vec4(last.xyz, kTwoStage ? density : last.w));
            Sides sides = Sides(sides_in_plane(newest - 2, column.at, 1), walk, walk);
            if (kAxes == 3) sides.y = sides_in_plane(newest - 2, column.at, kSpan.x);
            ivec3 cell = column.cell;
            cell[kWalk] = newest - 2;
            store(cell, newest - 2, column.at, second, density_second, sides);
        }
        put(plane_in_ring(newest) + column.at, value);
        if (has_rim) put(plane_in_ring(newest) + rim.at, rim_value);

        third = second;
        second = last;
        last = value;
        rim_second = rim_last;
        rim_last = rim_value;
        density_third = density_second;
        density_second = density;
        plane_last = plane_newest;
    }
}
