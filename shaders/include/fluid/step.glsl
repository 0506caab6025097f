// Steps of the density-invariant solver, one or two.
//
// A group walks along the last axis with a plane of cells, a column to each invocation. What an
// invocation has seen of its own column it keeps; what others look at is in a ring of planes in
// shared memory, in which what is beyond the sides and in solids is already in place, so that the
// stencil knows no special case. The columns at the rim of the plane are other groups' to step: they
// are there to be looked at. Where it takes two steps, the planes that the first one leaves go into
// a second ring as those of the state go into the first; only the second one's are stored.
//
// Before it: kAxes; fluid/cells_full.glsl or fluid/cells_half.glsl; the local size, that of the plane.

#include "fluid/step_cell.glsl"

layout(constant_id = 4) const uint kSteps = 1u; // two only without open sides

readonly buffer Before { StoredCell cells[]; } before;
writeonly buffer After { StoredCell cells[]; } after;

const int kWalk = kAxes - 1;                  // the axis along which groups walk
const int kHalo = kTwoStage != 0u ? 2 : 1;    // cells beyond its own that a step looks at
const int kReach = kHalo * int(kSteps);
const ivec2 kRim = ivec2(kReach, kAxes == 3 ? kReach : 0);
const int kRow = int(gl_WorkGroupSize.x);
const int kSpanCells = kRow * int(gl_WorkGroupSize.y);
const int kBeyond = kAxes == 3 ? kRow : 1; // so far beyond the plane its outermost columns look
// Planes of the rings: of the density, in two stages, others look at the newest but one alone.
const int kRing = 4;
const int kDensityRing = kTwoStage != 0u ? 2 : kRing;

const int kFieldCells = kRing * kSpanCells + 2 * kBeyond;
const int kDensity = kAxes * kFieldCells;
const int kTileCells = kDensity + kDensityRing * kSpanCells + 2 * kBeyond;
const int kStagedCells = kTwoStage != 0u ? 2 * kSpanCells + 2 * kBeyond : 1;
shared float tile[int(kSteps) * kTileCells];     // velocity, and density - 1
shared float staged[int(kSteps) * kStagedCells]; // density - 1 after the step, two planes
shared uint fastest_of_group;

// The cells in a line along the axis of the walk.
struct Column {
    ivec3 cell;  // that of plane 0, where the column is within the sides
    uint beyond; // which side the column is
};
Column column;
bool stores; // the column is the group's
int begin;   // planes of the group
int end;

bool owns(int plane) {
    return stores && plane >= begin && plane < end;
}

Column column_at(ivec2 place) {
    Place x = place_along(0, params.dims.x, place.x);
    Column result = Column(ivec3(x.at, 0, 0), x.beyond);
    if (kAxes == 3) {
        Place y = place_along(1, params.dims.y, place.y);
        result.cell.y = y.at;
        result.beyond = first_beyond(x.beyond, y.beyond);
    }
    return result;
}

// The side beyond which the column's cell in a plane is, if that is beyond `plane`.
uint beyond_of(uint plane) {
    return kEndless != 0u ? kWithin : first_beyond(column.beyond, plane);
}

ivec3 cell_in(Place plane) {
    ivec3 cell = column.cell;
    cell[kWalk] = plane.at;
    return cell;
}

// A cell as memory has it; what that means is asked later, so that its way is not waited for.
struct Seen {
    StoredCell stored;
    uint word; // of the mask of solid cells
};

Seen look(Place plane) {
    Seen seen = Seen(StoredCell(0), 0u);
    ivec3 cell = cell_in(plane);
    if (params.from_rest == 0u) seen.stored = before.cells[cell_index(cell)];
    if (kMasked != 0u) seen.word = solid.words[solid_word(cell)];
    return seen;
}

vec4 understood(Seen seen, Place plane, bool own) {
    uint beyond = beyond_of(plane.beyond);
    if (beyond == kWall) return wall_cell();
    if (beyond == kInflow) return inflow_cell();
    if (kMasked != 0u) {
        ivec3 cell = cell_in(plane);
        if ((seen.word >> uint(cell.x & 31) & 1u) != 0u) return obstacle_cell(cell);
    }
    vec4 value = fluid_cell(cell_of(seen.stored), own);
    if (beyond == kOpen) value.w = 0.0;
    return value;
}

// What an invocation knows of its own column in one of the steps: the planes before the newest, and
// the new densities of those.
struct Line {
    int at; // of the step's part of the tile
    int staged_at;
    vec4 third;
    vec4 second;
    vec4 last;
    float density_third;
    float density_second;
    uint second_beyond;
    uint last_beyond;
};

Line line_of(int step_index) {
    return Line(step_index * kTileCells, step_index * kStagedCells, vec4(0.0), vec4(0.0), vec4(0.0),
                0.0, 0.0, kWithin, kWithin);
}

int plane_in_ring(Line line, int plane) {
    return line.at + kBeyond + (plane & (kRing - 1)) * kSpanCells; // of planes from -4 on
}
int plane_of_density(Line line, int plane) {
    return line.at + kDensity + kBeyond + (plane & (kDensityRing - 1)) * kSpanCells;
}
int plane_staged(Line line, int plane) {
    return line.staged_at + kBeyond + (plane & 1) * kSpanCells;
}

void put(Line line, int plane, int lane, vec4 value) {
    int at = plane_in_ring(line, plane) + lane;
    tile[at] = value.x;
    tile[kFieldCells + at] = value.y;
    if (kAxes == 3) tile[2 * kFieldCells + at] = value.z;
    tile[plane_of_density(line, plane) + lane] = value.w;
}
vec3 velocity_in(int at) {
    vec3 velocity = vec3(tile[at], tile[kFieldCells + at], 0.0);
    if (kAxes == 3) velocity.z = tile[2 * kFieldCells + at];
    return velocity;
}

// density - 1 after the step, of the cell in a plane; before and behind it are its neighbours along
// the walk.
float next_density(Line line, int plane, int lane, vec4 behind, vec4 cell, vec4 ahead) {
    int x = plane_in_ring(line, plane) + lane;
    int w = plane_of_density(line, plane) + lane;
    float flow = flow_along(vec2(tile[x - 1], tile[w - 1]), cell.xw, vec2(tile[x + 1], tile[w + 1]));
    if (kAxes == 3) {
        int y = kFieldCells + x;
        flow += flow_along(vec2(tile[y - kRow], tile[w - kRow]), cell.yw,
                           vec2(tile[y + kRow], tile[w + kRow]));
    }
    flow += flow_along(vec2(behind[kWalk], behind.w), vec2(cell[kWalk], cell.w),
                       vec2(ahead[kWalk], ahead.w));
    return cell.w - step_length() * flow;
}

// The density whose gradient presses, of the plane before `newest`, whose cell is `ahead`; beyond
// sides that are not periodic the new one is at rest.
float pressing_density(Line line, int newest, int lane, vec4 ahead) {
    if (is_solid(line.last.w)) return kSolid;
    if (beyond_of(line.last_beyond) != kWithin) return 0.0;
    return held_density(next_density(line, newest - 1, lane, line.second, line.last, ahead),
                        owns(newest - 1));
}

// The velocity where the fluid was a step ago, less than a cell away. `lane` is the cell's place in
// its plane.
vec3 traced_back(Line line, int plane, int lane, vec3 velocity, Sides sides) {
    vec3 way = way_back(velocity);
    vec3 share = abs(way);
    ivec3 back = cell_back(way);
    vec3 beside_x = back_of(sides.x, way.x);
    vec3 beside_y = back_of(sides.y, way.y);
    int behind = plane_in_ring(line, plane + back[kWalk]) + lane;
    if (kAxes == 2)
        return towards(towards(velocity, beside_x, share.x),
                       towards(beside_y, velocity_in(behind + back.x), share.x), share.y);
    int here = plane_in_ring(line, plane) + lane;
    int y = back.y * kRow;
    vec3 near = towards(towards(velocity, beside_x, share.x),
                        towards(beside_y, velocity_in(here + y + back.x), share.x), share.y);
    vec3 far = towards(towards(back_of(sides.z, way.z), velocity_in(behind + back.x), share.x),
                       towards(velocity_in(behind + y), velocity_in(behind + y + back.x), share.x),
                       share.y);
    return towards(near, far, share.z);
}

// A cell's neighbours within its plane.
Pair sides_in_plane(Line line, int plane, int lane, int stride) {
    int here = plane_in_ring(line, plane) + lane;
    Pair pair = Pair(vec4(velocity_in(here - stride), 0.0), vec4(velocity_in(here + stride), 0.0));
    int pressing = plane_staged(line, plane) + lane;
    int old = plane_of_density(line, plane) + lane;
    pair.low.w = kTwoStage != 0u ? staged[pressing - stride] : tile[old - stride];
    pair.high.w = kTwoStage != 0u ? staged[pressing + stride] : tile[old + stride];
    return pair;
}

// With plane `newest` in `value`, finds the new density of the plane before it.
float staged_density(Line line, int newest, vec4 value) {
    int lane = int(gl_LocalInvocationIndex);
    float density = pressing_density(line, newest, lane, value);
    if (kTwoStage != 0u) staged[plane_staged(line, newest - 1) + lane] = density;
    return density;
}

// The cell of the plane before that one, after the step. `density` is what was found last.
vec4 stepped(Line line, int newest, float density) {
    int lane = int(gl_LocalInvocationIndex);
    if (is_solid(line.second.w)) return line.second;
    Pair walk = Pair(vec4(line.third.xyz, kTwoStage != 0u ? line.density_third : line.third.w),
                     vec4(line.last.xyz, kTwoStage != 0u ? density : line.last.w));
    Sides sides = Sides(sides_in_plane(line, newest - 2, lane, 1), walk, walk);
    if (kAxes == 3) sides.y = sides_in_plane(line, newest - 2, lane, kRow);
    ivec3 cell = column.cell;
    cell[kWalk] = newest - 2;
    if (kSteps > 1u) cell[kWalk] = place_along(kWalk, params.dims[kWalk], newest - 2).at;
    float pressing = kTwoStage != 0u ? line.density_second : line.second.w;
    vec3 traced = traced_back(line, newest - 2, lane, line.second.xyz, sides);
    return vec4(next_velocity(cell, line.second.xyz, traced, pressing, sides, owns(newest - 2)),
                line.density_second);
}

void take_in(inout Line line, int newest, vec4 value, uint beyond, float density) {
    put(line, newest, int(gl_LocalInvocationIndex), value);
    line.third = line.second;
    line.second = line.last;
    line.last = value;
    line.density_third = line.density_second;
    line.density_second = density;
    line.second_beyond = line.last_beyond;
    line.last_beyond = beyond;
}

void store(int plane, vec4 cell) {
    ivec3 at = column.cell;
    at[kWalk] = plane;
    after.cells[cell_index(at)] = stored_cell(is_solid(cell.w) ? stored_solid(cell) : cell);
}

// The newest plane, as it comes in.
Place plane;
Seen seen;
Line first_step;
Line second_step;
float fastest = 0.0;

void keep(int newest, vec4 cell) {
    if (!owns(newest)) return;
    store(newest, cell);
    if (kClocked == 0u || is_solid(cell.w)) return;
    vec3 speed = abs(cell.xyz);
    fastest = max(fastest, max(max(speed.x, speed.y), speed.z));
}

// Takes a plane in, finds the new density of the one before it, and steps the one before that.
void advance(int newest) {
    vec4 value = understood(seen, plane, owns(newest));
    uint beyond = plane.beyond;
    if (newest + 1 < end + kReach) {
        plane = place_along(kWalk, params.dims[kWalk], newest + 1);
        seen = look(plane);
    }
    barrier(); // the planes before the newest are in place

    float density = 0.0;
    if (newest - 1 > begin - kReach) density = staged_density(first_step, newest, value);
    if (kSteps == 1u) {
        if (owns(newest - 2)) keep(newest - 2, stepped(first_step, newest, density));
        take_in(first_step, newest, value, beyond, density);
        return;
    }

    // The second step's newest plane is the one that the first step has just left, as a state
    // would have kept it. What stands for the world beyond the field and for solids stays.
    int next = newest - 2;
    vec4 cell = first_step.second;
    uint cell_beyond = first_step.second_beyond;
    if (next >= begin - kHalo && !is_solid(cell.w) && beyond_of(cell_beyond) == kWithin)
        cell = fluid_cell(cell_of(stored_cell(stepped(first_step, newest, density))), owns(next));
    take_in(first_step, newest, value, beyond, density);
    float next_density = 0.0;
    if (next - 1 > begin - kHalo) next_density = staged_density(second_step, next, cell);
    if (owns(next - 2)) keep(next - 2, stepped(second_step, next, next_density));
    take_in(second_step, next, cell, cell_beyond, next_density);
}

void main() {
    begin_step();
    ivec2 own = ivec2(gl_WorkGroupSize.xy) - 2 * kRim;
    ivec2 corner = (kAxes == 3 ? ivec2(gl_WorkGroupID.xy) : ivec2(gl_WorkGroupID.x, 0)) * own;
    begin = int(gl_WorkGroupID[kWalk]) * params.depth;
    end = min(begin + params.depth, params.dims[kWalk]);

    ivec2 off = ivec2(gl_LocalInvocationID.xy) - kRim;
    column = column_at(corner + off);
    stores = off.x >= 0 && off.x < own.x && corner.x + off.x < params.dims.x;
    if (kAxes == 3)
        stores = stores && off.y >= 0 && off.y < own.y && corner.y + off.y < params.dims.y;
    if (kClocked != 0u && gl_LocalInvocationIndex == 0u) fastest_of_group = 0u;

    first_step = line_of(0);
    if (kSteps > 1u) second_step = line_of(1);
    plane = place_along(kWalk, params.dims[kWalk], begin - kReach);
    seen = look(plane);
    for (int newest = begin - kReach; newest < end + 2 * int(kSteps); newest += 2) {
        advance(newest); // twice, so that what is kept need not be moved as often
        advance(newest + 1);
    }

    if (kClocked == 0u) return;
    atomicMax(fastest_of_group, floatBitsToUint(fastest)); // barriers lie before it
    barrier();
    if (gl_LocalInvocationIndex != 0u) return;
    tell_speed(uintBitsToFloat(fastest_of_group));
    if (gl_WorkGroupID == uvec3(0u)) set_clock();
}
