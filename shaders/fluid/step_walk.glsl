// How a group walks through a state: along the last axis, a column to each invocation. What is beyond
// the sides and in solids is in place when a cell comes in, so that the stencil knows no special
// case. The columns at the halo are other groups' to step: they are there to be looked at.
//
// Before it: kAxes; kSteps, which are taken at once; fluid/cells.glsl;
// fluid/step_cell.glsl; the local size.

readonly buffer Before { StoredCell cells[]; } before;
writeonly buffer After { StoredCell cells[]; } after;

const int kWalk = kAxes - 1;               // the axis along which groups walk
const int kHalo = kTwoStage != 0u ? 2 : 1; // cells beyond its own that a step looks at
const int kReach = kHalo * int(kSteps);
const ivec2 kTileHalo = ivec2(kReach, kAxes == 3 ? kReach : 0);
const int kRow = int(gl_WorkGroupSize.x);

shared uint fastest_of_group;

// The cells in a line along the axis of the walk.
struct Column {
    ivec3 cell;  // that of plane 0, where the column is within the sides
    uint beyond; // which side the column is
    uint first;  // where a rank's arrays have plane 0 of them
};
Column column;
bool stores; // the column is the group's
int begin;   // planes of the group
int end;

bool owns(int plane) {
    return stores && plane >= begin && plane < end;
}

bool counted; // the column is the rank's
// Whether a cell's events are the invocation's to count: cells of the halo are counted by the rank
// whose they are.
bool counts(int plane) {
    if (kParts == 0u) return owns(plane);
    return owns(plane) && counted && plane >= params.own_from[kWalk] && plane < params.own_to[kWalk];
}

Column column_at(ivec2 place) {
    Place x = place_along(0, grid.dims.x, place.x);
    Column result = Column(ivec3(x.at, 0, 0), x.beyond, uint(held_at(0, x.at, 1)));
    if (kAxes == 3) {
        Place y = place_along(1, grid.dims.y, place.y);
        result.cell.y = y.at;
        result.beyond = first_beyond(x.beyond, y.beyond);
        result.first += uint(held_at(1, y.at, 1) * held_dims().x);
    }
    return result;
}

// Where arrays have the column's cell at place `at` of the axis of the walk.
uint index_at(int at) {
    ivec3 held = held_dims();
    return column.first + uint(held_at(kWalk, at, 1) * (kAxes == 3 ? held.x * held.y : held.x));
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
    if (params.from_rest == 0u) seen.stored = before.cells[index_at(plane.at)];
    if (has_solid != 0u) seen.word = solid.words[solid_word(cell_in(plane))];
    return seen;
}

vec4 understood(Seen seen, Place plane, bool own) {
    uint beyond = beyond_of(plane.beyond);
    if (beyond == kWall) return wall_cell();
    if (beyond == kInflow) return inflow_cell();
    if (has_solid != 0u) {
        ivec3 cell = cell_in(plane);
        if ((seen.word >> uint(cell.x & 31) & 1u) != 0u) return obstacle_cell(cell);
    }
    vec4 value = fluid_cell(cell_of(seen.stored), own);
    if (beyond == kOpen) value.w = 0.0;
    return value;
}

void store(int plane, vec4 cell) {
    after.cells[index_at(plane)] = stored_cell(is_solid(cell.w) ? stored_solid(cell) : cell);
}

float fastest = 0.0; // of what this invocation has stored

// Stores a cell of the group's.
void keep(int plane, vec4 cell) {
    store(plane, cell);
    if (kClocked == 0u || is_solid(cell.w)) return;
    vec3 speed = abs(cell.xyz);
    fastest = max(fastest, max(max(speed.x, speed.y), speed.z));
}

// The newest plane, as it comes in.
Place plane;
Seen seen;

// Takes it, and lets the next one come; `beyond`: the side beyond which it is.
vec4 next_cell(int newest, out uint beyond) {
    vec4 value = understood(seen, plane, counts(newest));
    beyond = plane.beyond;
    if (newest + 1 < end + kReach) {
        plane = place_along(kWalk, grid.dims[kWalk], newest + 1);
        seen = look(plane);
    }
    return value;
}

// The group among those of the box of cells that are stepped, and that box.
ivec3 group() {
    return ivec3(gl_WorkGroupID) + (kParts != 0u ? params.first_group : ivec3(0));
}
ivec3 box_from() {
    return kParts != 0u ? grid.from : ivec3(0);
}
ivec3 box_to() {
    return kParts != 0u ? grid.to : grid.dims;
}
// Whether another dispatch takes the group's cells.
bool is_left_out() {
    return kParts != 0u && all(greaterThanEqual(group(), params.left_from)) &&
           all(lessThan(group(), params.left_to));
}

// Where the group is, and its first plane.
void begin_walk() {
    begin_step();
    ivec2 own = ivec2(gl_WorkGroupSize.xy) - 2 * kTileHalo;
    ivec3 at = group();
    ivec2 corner = (kAxes == 3 ? at.xy : ivec2(at.x, 0)) * own;
    if (kParts != 0u) corner += kAxes == 3 ? box_from().xy : ivec2(box_from().x, 0);
    begin = at[kWalk] * params.depth + box_from()[kWalk];
    end = min(begin + params.depth, box_to()[kWalk]);

    ivec2 off = ivec2(gl_LocalInvocationID.xy) - kTileHalo;
    ivec2 place = corner + off;
    column = column_at(place);
    stores = off.x >= 0 && off.x < own.x && place.x < box_to().x;
    counted = place.x >= params.own_from.x && place.x < params.own_to.x;
    if (kAxes == 3) {
        stores = stores && off.y >= 0 && off.y < own.y && place.y < box_to().y;
        counted = counted && place.y >= params.own_from.y && place.y < params.own_to.y;
    }
    if (kClocked != 0u && gl_LocalInvocationIndex == 0u) fastest_of_group = 0u;

    plane = place_along(kWalk, grid.dims[kWalk], begin - kReach);
    seen = look(plane);
}

// After all planes, with barriers between.
void end_walk() {
    if (kClocked == 0u) return;
    atomicMax(fastest_of_group, floatBitsToUint(fastest));
    barrier();
    if (gl_LocalInvocationIndex != 0u) return;
    tell_speed(uintBitsToFloat(fastest_of_group));
    if (group() == ivec3(0)) set_clock(); // of all dispatches of the step
}
