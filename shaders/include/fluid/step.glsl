// One step of the density-invariant solver: advection by a trace back, viscosity, pressure from the
// density's gradient, forces, and the density from conservation of mass, all from the state before.
// Guay, Colin and Egli, "Simple and Fast Fluids", GPU Pro 2, 2011.
//
// A group fetches a tile of cells once, with what is beyond the sides and in solids already in
// place, so that the stencil knows no special case. Before it: kAxes; kTile and kHalo, in cells;
// kTwoStage, where the pressure is that of the new density (stable without viscosity).

layout(local_size_x = 256) in;

uniform Params {
    ivec3 dims;
    uint faces;
    float dt;        // time units
    float stiffness; // K: dt times the pressure of a unit of density
    float viscosity; // cells^2 / time unit
    float fastest;   // 1 / dt, cells / time unit
    vec3 force;      // acceleration of all fluid
    vec3 inflow;
    uint from_rest;  // 1: the state before is not looked at
#include "fluid/emitter_params.glsl"
} params;

#include "fluid/emitters.glsl"
#include "fluid/finite.glsl"
#include "fluid/solid.glsl"

layout(constant_id = 1) const uint kForced = 0u; // 1: there is a force for each cell

readonly buffer Before { vec4 cells[]; } before;
readonly buffer Forces { vec4 cells[]; } forces;
writeonly buffer After { vec4 cells[]; } after;
buffer Status { uint words[]; } status; // densities and speeds clamped, cells and forces not finite

const ivec3 kSpan = kTile + 2 * kHalo;
const int kSpanCells = kSpan.x * kSpan.y * kSpan.z;
const ivec3 kStride = ivec3(1, kSpan.x, kSpan.x * kSpan.y);
const int kGroup = 256;
const float kSolid = -2.0; // in place of a density; those of fluids are -0.5 to 2
const float kLeast = -0.5;
const float kMost = 2.0;

shared vec4 tile[kSpanCells]; // velocity, and density - 1

bool is_solid(vec4 cell) {
    return cell.w == kSolid;
}

bool is_own(ivec3 place, ivec3 corner) { // one of the cells that this group stores
    return all(greaterThanEqual(place, ivec3(0))) && all(lessThan(place, kTile)) &&
           all(lessThan(corner + place, params.dims));
}

vec4 sound_state(ivec3 cell, ivec3 place, ivec3 corner) {
    vec4 value = before.cells[cell_index(cell)];
    if (is_finite(value)) return value;
    if (is_own(place, corner)) atomicAdd(status.words[2], 1u);
    return vec4(0.0);
}

vec4 fetch(ivec3 place, ivec3 corner) {
    ivec3 cell = corner + place;
    bool beyond = false;
    for (int axis = 0; axis < kAxes; ++axis) {
        int size = params.dims[axis];
        bool high = cell[axis] >= size;
        if (!high && cell[axis] >= 0) continue;
        uint face = face_of(axis, high);
        if (face == kWall) return vec4(0.0, 0.0, 0.0, kSolid);
        if (face == kInflow) return vec4(params.inflow, 0.0);
        if (face == kPeriodic) {
            cell[axis] = modulo(cell[axis], size);
        } else {
            cell[axis] = high ? size - 1 : 0;
            beyond = true;
        }
    }
    if (is_obstacle(cell)) return vec4(0.0, 0.0, 0.0, kSolid);
    if (params.from_rest != 0u) return vec4(0.0);
    vec4 value = sound_state(cell, place, corner);
    if (beyond) value.w = 0.0;
    return value;
}

ivec3 place_in(int i, ivec3 size) {
    return ivec3(i % size.x, i / size.x % size.y, i / (size.x * size.y));
}
int index_in_tile(ivec3 place) {
    return place.x + kSpan.x * (place.y + kSpan.y * place.z);
}

float pressed(float density, vec4 cell) { // that of a solid is what the fluid beside it has
    return is_solid(cell) ? density : cell.w;
}

// density - 1 after the step: -dt (u . grad(density) + density div(u)). With differences over two
// cells the sum over all cells does not change.
float next_density(int at) {
    vec4 cell = tile[at];
    float flow = 0.0;
    for (int axis = 0; axis < kAxes; ++axis) {
        vec4 low = tile[at - kStride[axis]];
        vec4 high = tile[at + kStride[axis]];
        float gradient = 0.5 * (pressed(cell.w, high) - pressed(cell.w, low));
        flow += gradient * cell[axis] + (1.0 + cell.w) * (0.5 * (high[axis] - low[axis]));
    }
    return cell.w - params.dt * flow;
}

float held_density(float density, bool own) {
    if (own && (density < kLeast || density > kMost)) atomicAdd(status.words[0], 1u);
    return clamp(density, kLeast, kMost);
}

// For the pressure of the second stage: beyond sides that are not periodic the density is at rest.
float staged_density(int at, ivec3 cell, bool own) {
    if (is_solid(tile[at])) return kSolid;
    for (int axis = 0; axis < kAxes; ++axis) {
        bool high = cell[axis] >= params.dims[axis];
        if ((high || cell[axis] < 0) && face_of(axis, high) != kPeriodic) return 0.0;
    }
    return held_density(next_density(at), own);
}

vec3 towards(vec3 a, vec3 b, float share) {
    return a + share * (b - a);
}

// The velocity where the fluid was a step ago, less than a cell away.
vec3 traced_back(int at, vec3 velocity) {
    vec3 way = clamp(params.dt * velocity, -1.0, 1.0);
    vec3 share = abs(way);
    ivec3 back = ivec3(greaterThan(way, vec3(0.0))) * -2 + 1;
    int x = back.x * kStride.x;
    int y = back.y * kStride.y;
    vec3 near = towards(towards(velocity, tile[at + x].xyz, share.x),
                        towards(tile[at + y].xyz, tile[at + y + x].xyz, share.x), share.y);
    if (kAxes == 2) return near;
    int z = at + back.z * kStride.z;
    vec3 far = towards(towards(tile[z].xyz, tile[z + x].xyz, share.x),
                       towards(tile[z + y].xyz, tile[z + y + x].xyz, share.x), share.y);
    return towards(near, far, share.z);
}

vec3 given_force(uint index) {
    if (kForced == 0u) return params.force;
    vec4 force = forces.cells[index];
    if (is_finite(force)) return params.force + force.xyz;
    atomicAdd(status.words[3], 1u);
    return params.force;
}

void store(ivec3 cell, int at) {
    uint index = cell_index(cell);
    vec4 old = tile[at];
    if (is_solid(old)) {
        after.cells[index] = vec4(0.0);
        return;
    }
    vec3 gradient = vec3(0.0);
    vec3 around = vec3(0.0);
    bvec3 blocked = bvec3(false);
    for (int axis = 0; axis < kAxes; ++axis) {
        vec4 low = tile[at - kStride[axis]];
        vec4 high = tile[at + kStride[axis]];
        gradient[axis] = 0.5 * (pressed(old.w, high) - pressed(old.w, low));
        around += low.xyz + high.xyz;
        blocked[axis] = is_solid(low) || is_solid(high);
    }
    float density = kTwoStage ? old.w : held_density(next_density(at), true);
    vec3 laplacian = around - float(2 * kAxes) * old.xyz;
    vec3 velocity = traced_back(at, old.xyz) +
                    params.dt * (params.viscosity * laplacian + given_force(index)) -
                    params.stiffness * gradient;
    for (uint i = 0u; i < params.emitters; ++i)
        velocity = towards(velocity, params.emitter_velocities[i].xyz,
                           emitted_share(i, vec3(cell) + 0.5, params.dt));
    for (int axis = 0; axis < 3; ++axis)
        if (axis >= kAxes || blocked[axis]) velocity[axis] = 0.0;

    vec3 held = clamp(velocity, -params.fastest, params.fastest);
    if (held != velocity) atomicAdd(status.words[1], 1u);
    after.cells[index] = vec4(held, density);
}

void main() {
    ivec3 corner = ivec3(gl_WorkGroupID) * kTile;
    int first = int(gl_LocalInvocationIndex);
    // Most tiles have nothing but fluid in reach.
    bool plain = kMasked == 0u && params.from_rest == 0u &&
                 all(greaterThanEqual(corner, kHalo)) &&
                 all(lessThanEqual(corner + kTile + kHalo, params.dims));
    for (int i = first; i < kSpanCells; i += kGroup) {
        ivec3 place = place_in(i, kSpan) - kHalo;
        tile[i] = plain ? sound_state(corner + place, place, corner) : fetch(place, corner);
    }
    barrier();

    if (kTwoStage) {
        // The new densities take the place of the old ones once all have been computed.
        const ivec3 kInner = kTile + kHalo; // as far as the pressure looks
        const int kInnerCells = kInner.x * kInner.y * kInner.z;
        const int kRounds = (kInnerCells + kGroup - 1) / kGroup;
        float densities[kRounds];
        for (int round = 0; round < kRounds; ++round) {
            int i = first + round * kGroup;
            if (i >= kInnerCells) break;
            ivec3 place = place_in(i, kInner) + kHalo / 2;
            densities[round] = staged_density(index_in_tile(place), corner + place - kHalo,
                                              is_own(place - kHalo, corner));
        }
        barrier();
        for (int round = 0; round < kRounds; ++round) {
            int i = first + round * kGroup;
            if (i >= kInnerCells) break;
            tile[index_in_tile(place_in(i, kInner) + kHalo / 2)].w = densities[round];
        }
        barrier();
    }

    const int kTileCells = kTile.x * kTile.y * kTile.z;
    for (int i = first; i < kTileCells; i += kGroup) {
        ivec3 place = place_in(i, kTile);
        if (all(lessThan(corner + place, params.dims)))
            store(corner + place, index_in_tile(place + kHalo));
    }
}
