#version 460
#extension GL_KHR_memory_scope_semantics : require
// All of Jacobi's sweeps for the pressure in bricks, in one dispatch. A group has a brick in registers.
// Where all groups have begun it keeps it for all sweeps, and neighbours exchange what is at their sides;
// else groups take bricks by tickets, in the order of sweeps.

layout(local_size_x = 128) in;
layout(constant_id = 1) const uint kStart = 1u; // 1: from 0; 2: from the execution before
layout(constant_id = 2) const uint kPatience = 0u; // how often a group asks whether all have begun

#include "sparse_fields.glsl"

uniform Params {
    uint sweeps;
    uint capacity; // slots
} params;

readonly buffer Before { vec4 rows[]; } before;
readonly buffer BeforeCells { float cells[]; } before_cells;
readonly buffer Divergence { vec4 rows[]; } divergence;
// The next ticket and how bricks are kept; of each slot how often it has been swept; then, as bits of
// floats, two fields of pressure by quads of four cells along x, of which sweeps write one in turn, and what
// is at the sides along x in both, by slot and by quads along y.
coherent buffer Work { uvec4 rows[]; } work;
writeonly buffer Result { vec4 rows[]; } result;

const uint kLayers = uint(kBrickZ); // of a brick, each of 128 quads: 4, 8, 12 or 16
const uint kLayerQuads = 128u;
const uint kBrickQuads = kLayers * kLayerQuads;
const uint kQuadsX = uint(kBrickX) / 4u;
const uint kSideQuads = uint(kBrickY) * kLayers / 4u; // of a side along x
// Four layers at a time are in shared memory. There rows have one quad more, whose first number is beyond the row and
// whose last one is before the next row, and layers two rows more.
const uint kRow = kQuadsX + 1u;
const uint kLayer = (uint(kBrickY) + 2u) * kRow;
shared vec4 rows[4u * kLayer];

// What is beyond the brick's sides, axis by axis, low sides first: twice the slot, + 1 for the high side of
// the brick there; kNoBrick: 0.
shared uint facing[6];
shared uint facing_before[6];
shared uint shared_word;

const uint kUndecided = 0u;
const uint kStays = 1u;  // each group keeps its brick
const uint kStreams = 2u; // groups take bricks by tickets

// The same for all of the group, from its first invocation.
uint told(uint word) {
    barrier();
    if (gl_LocalInvocationIndex == 0u) shared_word = word;
    barrier();
    return shared_word;
}
// As in shaders/bodies/solve_flow.comp.
void share_in_group() {
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}
uint load_mode() {
    return atomicLoad(work.rows[0].y, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
}
// Looks without acquiring, by a read-modify-write operation: as in shaders/bodies/solve_flow.comp.
uint load_progress(uint slot) {
    return atomicOr(work.rows[1u + slot].x, 0u);
}
uint take_ticket() {
    return atomicAdd(work.rows[0].x, 1u);
}
vec4 shared_row(uint at) {
    return uintBitsToFloat(work.rows[at]);
}

// Whether all bricks have a group that has begun: the last one to begin says so, unless another one has lost
// its patience. Of the first invocation.
uint decided(uint ticket) {
    if (ticket + 1u == brick_list.count) {
        uint mode = atomicCompSwap(work.rows[0].y, kUndecided, kStays);
        return mode == kUndecided ? kStays : mode;
    }
    uint asked = 0u;
    bool waits = kPatience > 0u;
    while (waits) { // SwiftShader keeps no value that a lane leaves a loop with
        ++asked;
        waits = load_mode() == kUndecided && asked < kPatience;
    }
    uint mode = atomicCompSwap(work.rows[0].y, kUndecided, kStreams);
    return mode == kUndecided ? kStreams : mode;
}

void find_sides(uint number, uint word) {
    uint i = gl_LocalInvocationIndex;
    if (i >= 6u) return;
    int axis = int(i / 2u);
    bool high = (i & 1u) != 0u;
    int at = brick_at(number)[axis];
    bool ends = high ? at + 1 == kBrickGrid[axis] : at == 0;
    int stride = axis == 0 ? 1 : axis == 1 ? 3 : 9;
    uint near = word; // beyond a wall is the cell before it
    if (!ends) near = brick_neighbors.words[27u * slot_of(word) + uint(13 + (high ? stride : -stride))];
    bool there = ends ? is_wall(axis, high) : is_active(near);
    uint side = 2u * slot_of(near) + uint(high == ends);
    facing[i] = there ? side : kNoBrick;
    facing_before[i] = there && is_kept(near) ? side : kNoBrick;
}

// Until the bricks beside this one, and itself, have been swept so often.
void wait_for_sides(uint slot, uint sweep) {
    uint i = gl_LocalInvocationIndex;
    uint near = i < 6u ? facing[min(i, 5u)] >> 1 : slot;
    bool waits = i < 7u && near != kNoBrick >> 1;
    while (waits)
        waits = load_progress(near) < sweep;
    memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
    share_in_group();
}

// Where the quads of a field begin that sweep number `sweep` writes, from 0.
uint field_of(uint sweep) {
    return 1u + (1u + (sweep & 1u) * kBrickQuads) * params.capacity;
}
// And where the side along x of a slot: `side` is as in `facing`.
uint side_of_field(uint sweep, uint side) {
    return 1u + (1u + 2u * kBrickQuads + (sweep & 1u) * 2u * kSideQuads) * params.capacity +
           side * kSideQuads;
}

vec4 row_before(uint at) {
    return kStart == 2u ? before.rows[at] : vec4(0.0);
}
float cell_before(uint at) {
    return kStart == 2u ? before_cells.cells[at] : 0.0;
}

// A quad of the layer along z or y that is beyond a side. `at`: of the layer's quads in a brick, that at the
// low side, and `far` from there to the high one.
vec4 row_facing(uint side, uint sweep, uint at, uint far) {
    uint from = sweep == 0u ? facing_before[side] : facing[side];
    if (from == kNoBrick) return vec4(0.0);
    uint quad = (from >> 1) * kBrickQuads + at + (from & 1u) * far;
    return sweep == 0u ? row_before(quad) : shared_row(field_of(sweep - 1u) + quad);
}

// Four cells along y beyond a side along x.
vec4 cells_facing(uint side, uint sweep, uint i) {
    uint from = sweep == 0u ? facing_before[side] : facing[side];
    if (from == kNoBrick) return vec4(0.0);
    if (sweep > 0u) return shared_row(side_of_field(sweep - 1u, from) + i);
    uint x = uint(kBrickX);
    uint at = 4u * ((from >> 1) * kBrickQuads + i * x) + (from & 1u) * (x - 1u);
    return vec4(cell_before(at), cell_before(at + x), cell_before(at + 2u * x), cell_before(at + 3u * x));
}

// What is beyond the sides of four layers: the first invocations have four cells along y beside them, the next ones
// quads above and below.
const uint kCellLanes = 2u * uint(kBrickY);
const uint kRowLanes = 8u * kQuadsX;
vec4 beside(uint block, uint sweep) {
    uint lane = gl_LocalInvocationIndex;
    if (lane < kCellLanes)
        return cells_facing(lane / uint(kBrickY), sweep, block * uint(kBrickY) + lane % uint(kBrickY));
    uint i = lane - kCellLanes;
    if (i >= kRowLanes) return vec4(0.0);
    uint side = i / (kRowLanes / 2u), layer = 4u * block + i / kQuadsX % 4u;
    return row_facing(2u + side, sweep, layer * kLayerQuads + i % kQuadsX, kLayerQuads - kQuadsX);
}
void put_beside(vec4 values) {
    uint lane = gl_LocalInvocationIndex;
    if (lane < kCellLanes) {
        uint quad = lane % uint(kBrickY);
        uint y = 4u * quad % uint(kBrickY), z = 4u * quad / uint(kBrickY);
        uint at = z * kLayer + (y + 1u) * kRow;
        if (lane < uint(kBrickY)) {
            rows[at - 1u].w = values.x;
            rows[at + kRow - 1u].w = values.y;
            rows[at + 2u * kRow - 1u].w = values.z;
            rows[at + 3u * kRow - 1u].w = values.w;
        } else {
            rows[at + kQuadsX].x = values.x;
            rows[at + kRow + kQuadsX].x = values.y;
            rows[at + 2u * kRow + kQuadsX].x = values.z;
            rows[at + 3u * kRow + kQuadsX].x = values.w;
        }
    } else if (lane - kCellLanes < kRowLanes) {
        uint i = lane - kCellLanes;
        uint row = i < kRowLanes / 2u ? 0u : uint(kBrickY) + 1u;
        rows[i / kQuadsX % 4u * kLayer + row * kRow + i % kQuadsX] = values;
    }
}

// The pressure before the sweep, one below the layer that is swept.
vec4 layer_below;

// `at`: in shared memory.
vec4 swept(uint at, vec4 own, vec4 above, vec4 from) {
    float left = rows[at - 1u].w, right = rows[at + 1u].x;
    precise vec4 next = vec4(own.yzw, right) + vec4(left, own.xyz);
    next = next + (rows[at + kRow] + rows[at - kRow]);
    next = next + (above + layer_below);
    next = next - from;
    next = next * (1.0 / 6.0);
    layer_below = own;
    return next;
}

// Where a sweep's results go.
bool ends_sweeps;
bool writes_all;
uint own_quad; // in fields
uint target;   // in work
uint own_side; // in work, of the first layer: where the cell at the side along x goes
bool has_side;
void put(uint layer, bool outer, vec4 next) {
    uint at = own_quad + layer * kLayerQuads;
    if (ends_sweeps) {
        result.rows[at] = next;
        return;
    }
    if (writes_all || outer) work.rows[target + at] = floatBitsToUint(next);
    if (has_side) {
        uint lane = gl_LocalInvocationIndex;
        float cell = lane % kQuadsX == 0u ? next.x : next.w;
        work.rows[own_side + layer * (uint(kBrickY) / 4u)][lane / kQuadsX % 4u] = floatBitsToUint(cell);
    }
}

vec4 divergence_of(uint layer) {
    return divergence.rows[own_quad + layer * kLayerQuads];
}

// Four layers, whose pressures these are. `above`: of the next one.
void sweep_layers(uint block, inout vec4 p0, inout vec4 p1, inout vec4 p2, inout vec4 p3, vec4 above, vec4 values) {
    uint lane = gl_LocalInvocationIndex;
    uint layer = 4u * block;
    vec4 from0 = divergence_of(layer), from1 = divergence_of(layer + 1u);
    vec4 from2 = divergence_of(layer + 2u), from3 = divergence_of(layer + 3u);
    uint at = (lane / kQuadsX + 1u) * kRow + lane % kQuadsX;
    barrier(); // the layers before have been read
    rows[at] = p0;
    rows[at + kLayer] = p1;
    rows[at + 2u * kLayer] = p2;
    rows[at + 3u * kLayer] = p3;
    put_beside(values);
    barrier();
    bool side = lane < kQuadsX || lane >= kLayerQuads - kQuadsX;
    p0 = swept(at, p0, p1, from0);
    p1 = swept(at + kLayer, p1, p2, from1);
    p2 = swept(at + 2u * kLayer, p2, p3, from2);
    p3 = swept(at + 3u * kLayer, p3, above, from3);
    put(layer, side || layer == 0u, p0);
    put(layer + 1u, side, p1);
    put(layer + 2u, side, p2);
    put(layer + 3u, side || layer + 4u == kLayers, p3);
}

// Of the sweep before.
vec4 fetched(uint layer, uint sweep, bool there) {
    uint at = own_quad + layer * kLayerQuads;
    if (layer >= kLayers) return vec4(0.0);
    if (sweep > 0u) return shared_row(field_of(sweep - 1u) + at);
    return there ? row_before(at) : vec4(0.0);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint count = brick_list.count;
    uint mode = kUndecided;
    // There are no more groups than bricks, so the first tickets are for the first sweep.
    if (group_index() >= count) return;
    uint ticket = 0u;
    if (lane == 0u) ticket = take_ticket();
    ticket = told(ticket);
    uint sweep = ticket / count;
    bool fetches = true;
    uint slot = 0u;
    vec4 p[16]; // pressures; numbers are constants, so they are in registers
    while (sweep < params.sweeps) {
        if (fetches) {
            uvec2 entry = brick_list.entries[ticket % count];
            slot = slot_of(entry.y);
            own_quad = slot * kBrickQuads + lane;
            find_sides(entry.x, entry.y);
            barrier();
            if (sweep > 0u) wait_for_sides(slot, sweep);
            bool there = is_kept(entry.y);
            p = vec4[](fetched(0u, sweep, there), fetched(1u, sweep, there), fetched(2u, sweep, there),
                       fetched(3u, sweep, there), fetched(4u, sweep, there), fetched(5u, sweep, there),
                       fetched(6u, sweep, there), fetched(7u, sweep, there), fetched(8u, sweep, there),
                       fetched(9u, sweep, there), fetched(10u, sweep, there), fetched(11u, sweep, there),
                       fetched(12u, sweep, there), fetched(13u, sweep, there), fetched(14u, sweep, there),
                       fetched(15u, sweep, there));
        } else wait_for_sides(slot, sweep);
        vec4 values = beside(0u, sweep);
        layer_below = row_facing(4u, sweep, lane, kBrickQuads - kLayerQuads);
        vec4 above = row_facing(5u, sweep, lane, kBrickQuads - kLayerQuads);
        // What is written while it is not decided is good for both.
        if (mode == kUndecided) {
            uint word = kUndecided;
            if (lane == 0u) word = load_mode();
            mode = told(word);
        }
        ends_sweeps = sweep + 1u == params.sweeps;
        writes_all = mode != kStays;
        target = field_of(sweep);
        uint x = lane % kQuadsX;
        has_side = x == 0u || x == kQuadsX - 1u;
        own_side = side_of_field(sweep, 2u * slot + (x == 0u ? 0u : 1u)) + lane / kQuadsX / 4u;
        vec4 next = vec4(0.0);
        if (kLayers > 4u) next = beside(1u, sweep);
        sweep_layers(0u, p[0], p[1], p[2], p[3], kLayers > 4u ? p[4] : above, values);
        if (kLayers > 4u) {
            values = next;
            if (kLayers > 8u) next = beside(2u, sweep);
            sweep_layers(1u, p[4], p[5], p[6], p[7], kLayers > 8u ? p[8] : above, values);
        }
        if (kLayers > 8u) {
            values = next;
            if (kLayers > 12u) next = beside(3u, sweep);
            sweep_layers(2u, p[8], p[9], p[10], p[11], kLayers > 12u ? p[12] : above, values);
        }
        if (kLayers > 12u) sweep_layers(3u, p[12], p[13], p[14], p[15], above, next);
        if (!ends_sweeps) {
            share_in_group();
            if (lane == 0u)
                atomicStore(work.rows[1u + slot].x, sweep + 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                            gl_SemanticsRelease);
        }
        if (mode == kUndecided) {
            uint word = 0u;
            if (lane == 0u) word = decided(ticket);
            mode = told(word);
        }
        fetches = mode == kStreams;
        if (fetches) {
            if (lane == 0u) ticket = take_ticket();
            ticket = told(ticket);
            sweep = ticket / count;
        } else ++sweep;
    }
}
