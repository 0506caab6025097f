#version 460
// Velocities on faces in three dimensions, carried along. Most fluid has come less than a cell: then
// all there is to look at is around the face, and invocations walk along z with that in registers.
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 32, local_size_y = 4) in;

#include "stable_advect.glsl"

// Velocities on the faces of a cell and of the 26 around it; z, y and x of each from 0 to 2.
vec3 around[27];
ivec3 cell;      // the one in the middle
uint line[9];    // where cells are in a slice, by y and x
bool at_side;    // some are beyond one along x or y

void read_lines() {
    at_side = false;
    for (int i = 0; i < 9; ++i) {
        Place x = place_along(0, grid.dims.x, cell.x + i % 3 - 1);
        Place y = place_along(1, grid.dims.y, cell.y + i / 3 - 1);
        line[i] = uint(held_at(1, y.at, 1) * held_dims().x + held_at(0, x.at, 1));
        at_side = at_side || x.beyond != kWithin || y.beyond != kWithin;
    }
}

// Slice z becomes the last one.
void read_slice(int z) {
    [[unroll]] for (int i = 0; i < 18; ++i)
        around[i] = around[i + 9];
    Place slice = place_along(2, grid.dims.z, z);
    uint start = uint(held_at(2, slice.at, 1)) * strides().z;
    [[unroll]] for (int i = 0; i < 9; ++i)
        [[unroll]] for (int axis = 0; axis < 3; ++axis)
            around[18 + i][axis] =
                before.values[uint(axis) * faces_of_an_axis() + start + line[i]];
    if (!at_side && slice.beyond == kWithin) return;
    [[unroll]] for (int i = 0; i < 9; ++i) {
        uvec3 beyond = uvec3(place_along(0, grid.dims.x, cell.x + i % 3 - 1).beyond,
                             place_along(1, grid.dims.y, cell.y + i / 3 - 1).beyond, slice.beyond);
        bool comes_in = any(equal(beyond, uvec3(kInflow)));
        around[18 + i] = comes_in ? params.inflow
                                  : mix(around[18 + i], vec3(0.0), equal(beyond, uvec3(kWall)));
    }
}

// Shares of three values at -1, 0 and 1 in what is between them at `place`; and of two of them, of
// which 0 is in the middle.
vec3 shares_of_three(float place) {
    return vec3(max(-place, 0.0), 1.0 - abs(place), max(place, 0.0));
}
vec3 shares_of_first(float place) {
    return vec3(0.5 - place, 0.5 + place, 0.0);
}
vec3 shares_of_last(float place) {
    return vec3(0.0, 0.5 - place, 0.5 + place);
}

// A component, by shares along each axis; only of cells from `first` to `last`.
float blended(int axis, mat3 shares, ivec3 first, ivec3 last) {
    float all_ = 0.0;
    [[unroll]] for (int z = 0; z < 3; ++z) {
        if (z < first.z || z > last.z) continue;
        float sheet = 0.0;
        [[unroll]] for (int y = 0; y < 3; ++y) {
            if (y < first.y || y > last.y) continue;
            float row = 0.0;
            [[unroll]] for (int x = 0; x < 3; ++x)
                if (x >= first.x && x <= last.x)
                    row += shares[0][x] * around[9 * z + 3 * y + x][axis];
            sheet += shares[1][y] * row;
        }
        all_ += shares[2][z] * sheet;
    }
    return all_;
}

// A component at its own face, and all of them at the face of `axis`; `off` from there.
float velocity_along_near(int axis, vec3 off) {
    return blended(axis,
                   mat3(shares_of_three(off.x), shares_of_three(off.y), shares_of_three(off.z)),
                   ivec3(0), ivec3(2));
}
vec3 velocity_near(int axis, vec3 off) {
    vec3 velocity;
    [[unroll]] for (int other = 0; other < 3; ++other) {
        if (other == axis) {
            velocity[other] = velocity_along_near(axis, off);
            continue;
        }
        mat3 shares;
        ivec3 first = ivec3(0);
        ivec3 last = ivec3(2);
        [[unroll]] for (int k = 0; k < 3; ++k) {
            // The others are half a cell before and behind the face, and beside it.
            if (k == axis) shares[k] = shares_of_first(off[k]), last[k] = 1;
            else if (k == other) shares[k] = shares_of_last(off[k]), first[k] = 1;
            else shares[k] = shares_of_three(off[k]);
        }
        velocity[other] = blended(other, shares, first, last);
    }
    return velocity;
}
// At the face itself: of the others the mean of four.
vec3 velocity_at_face(int axis) {
    const ivec3 kStride = ivec3(1, 3, 9);
    vec3 velocity;
    [[unroll]] for (int other = 0; other < 3; ++other) {
        int low = 13 - kStride[axis];
        int next = kStride[other];
        velocity[other] = other == axis ? around[13][other]
                                        : 0.25 * (around[low][other] + around[low + next][other] +
                                                  (around[13][other] + around[13 + next][other]));
    }
    return velocity;
}

void main() {
    ivec3 invocation = ivec3(gl_GlobalInvocationID.xy, int(gl_WorkGroupID.z) * params.depth);
    if (!is_taken(invocation, ivec3(1))) return;
    cell = cell_taken(invocation, ivec3(1));
    cell.z = invocation.z + (kParts != 0u ? grid.from.z : 0); // may be beyond a periodic side
    int begin = cell.z;
    int end = min(begin + params.depth, kParts != 0u ? grid.to.z : grid.dims.z);
    read_lines();
    read_slice(begin - 1);
    read_slice(begin);
    uint far = 0u; // a bit for each cell whose fluid has come farther
    for (; cell.z < end; ++cell.z) {
        read_slice(cell.z + 1);
        vec3 velocity;
        bool near = true;
        [[unroll]] for (int axis = 0; axis < 3; ++axis) {
            vec3 halfway = -held_way(0.5 * params.dt * velocity_at_face(axis));
            vec3 off = -held_way(params.dt * velocity_near(axis, halfway));
            near = near && all(lessThan(abs(halfway), vec3(0.5))) &&
                   all(lessThan(abs(off), vec3(1.0)));
            velocity[axis] = velocity_along_near(axis, off);
        }
        if (near) store(nearest_cell(cell), velocity);
        else far |= 1u << (cell.z - begin);
    }
    for (; far != 0u; far &= far - 1u) {
        cell.z = begin + findLSB(far);
        ivec3 own = nearest_cell(cell);
        store(own, carried(own));
    }
}
