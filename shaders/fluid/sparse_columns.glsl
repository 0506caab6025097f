#ifndef FLUID_SPARSE_COLUMNS
#define FLUID_SPARSE_COLUMNS
// For kernels that walk over all active bricks by columns: an invocation has kTall layers of cells along
// z, and of each kWide cells along x, so that what is read for one serves the next. Groups have
// kColumns invocations; if WIDE, of one brick or of several. A WalkedCell is the first of a column. FLOW:
// they read the velocity.
#include "sparse_fields.glsl"

// As in passes/sparse/store.cpp.
#if WIDE
const uint kWide = 4u;
const uint kTall = 8u;
const uint kColumns = 64u;
#else
const uint kWide = 1u;
const uint kTall = 2u;
const uint kColumns = 128u;
#endif

const uint kColumnsX = uint(kBrickX) / kWide;
const uint kLayerColumns = kColumnsX * uint(kBrickY);
const uint kBrickColumns = kLayerColumns * ((uint(kBrickZ) + kTall - 1u) / kTall);
const uint kLayer = uint(kBrickX * kBrickY); // cells

const uint kColumnGroups = (kBrickColumns + kColumns - 1u) / kColumns; // of a brick

#if !WIDE
// Whether the group has a brick; the same for all of it.
bool column_group_has_brick() {
    return has_listed(group_index() / kColumnGroups);
}
#endif

WalkedCell walked_column() {
#if WIDE
    uint brick = invocation_index() / kBrickColumns;
    uint column = invocation_index() % kBrickColumns;
#else
    uint brick = group_index() / kColumnGroups;
    uint column = group_index() % kColumnGroups * kColumns + gl_LocalInvocationID.x;
#endif
    WalkedCell walked;
    walked.exists = false;
    if (!has_listed(brick)) return walked;
    uvec2 entry = listed_brick(brick);
    walked.number = entry.x;
    walked.word = entry.y;
    walked.origin = brick_at(entry.x) * kBrick;
    walked.local = ivec3(kWide * (column % kColumnsX), column / kColumnsX % uint(kBrickY),
                         kTall * (column / kLayerColumns));
    walked.index = slot_of(entry.y) * kBrickCells + cell_in_brick(walked.local);
    walked.exists = column < kBrickColumns && is_in_domain(walked.origin + walked.local);
    return walked;
}

// 0: a column has all of its layers, wherever it is.
const uint kPartial = uint(kBrickZ) % kTall + uint(kDomainZ) % kTall;

// Whether a layer of a column is in the brick and in the domain.
bool has_layer(WalkedCell column, int layer) {
    return kPartial == 0u || column.local.z + layer < min(kBrickZ, kDomainZ - column.origin.z);
}
// Cells from a column's first layer to another one; where there is none, to the last one. So all that a
// column reads is under way at once.
uint to_layer(WalkedCell column, int layer) {
    int last = min(kBrickZ, kDomainZ - column.origin.z) - 1 - column.local.z;
    return uint(kPartial == 0u ? layer : min(layer, last)) * kLayer;
}

// What a group of the last kernel of a step knows. Atomic operations of all groups on a few words would
// take longer than their work.
struct StatusPart {
    uint fastest; // bits of a float
    float mass;
    uint flags; // cells slowed down, cells set to rest << 16 (at most 256), and kEmptyPart
};
const uint kEmptyPart = 0x80000000u; // no fluid

#if FLOW
// --- what flows around cells ----------------------------------------------------------------------

readonly buffer Velocity { StoredCell cells[]; } velocity;

vec3 velocity_at(uint at, uint up) {
    return at == kNoBrick ? vec3(0.0) : cell_of(velocity.cells[at + up]).xyz;
}

// Where the cell above one of a column's layers is.
uint index_above(WalkedCell column, Sides sides, int layer) {
    uint up = to_layer(column, layer);
    return index_beside(sides, sides.high_z, column.index + up, column.local.z + int(up / kLayer));
}

// What flows around a cell.
struct Flow {
    vec3 low_x, high_x, low_y, high_y, low_z, high_z;
};
// `beside`: the column's first cell; `up`: to_layer.
Flow flow_around(Beside beside, uint up, vec3 below, vec3 above) {
    return Flow(velocity_at(beside.low_x, up), velocity_at(beside.high_x, up),
                velocity_at(beside.low_y, up), velocity_at(beside.high_y, up), below, above);
}

vec3 slope(vec3 high, vec3 low) {
    precise vec3 change = high - low;
    return 0.5 * change;
}
vec3 whirl_of(Flow flow) {
    vec3 x = slope(flow.high_x, flow.low_x), y = slope(flow.high_y, flow.low_y);
    vec3 z = slope(flow.high_z, flow.low_z);
    precise vec3 whirl = vec3(y.z - z.y, z.x - x.z, x.y - y.x);
    return whirl;
}
#endif

#endif
