// Columns of a flow in bricks, and what is around their cells. The velocity is `velocity`.
#define WIDE 0
#include "sparse/columns.glsl"
#include "sparse_fields.glsl"

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
