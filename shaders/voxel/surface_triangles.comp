#version 460
// Sets all voxels that triangles meet as the chapter does: a triangle in each invocation, which
// tests the voxels of its bounding box, or those of columns along the axis nearest to its normal.

layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kColumns = 1u; // 0: all of the bounding box
layout(constant_id = 1) const uint kShortCuts = 1u;

uniform Params {
    uvec3 dims;
    uint triangles;
    uint vertices;
    uint room; // for parts
} params;

#include "invocation.glsl"
#include "voxel/grid.glsl"
#include "triangles.glsl"
#include "turned.glsl"

buffer Words { uint values[]; } words;

#include "add_parts.glsl"

// Voxels of one word are collected, and set together once another word follows.
uint pending_word = 0u;
uint pending_bits = 0u;

void flush() {
    if (pending_bits != 0u) atomicOr(words.values[pending_word], pending_bits);
    pending_bits = 0u;
}

void set_voxel(uvec3 voxel) {
    uint word = row_of(params.dims, voxel.x, voxel.y) + (voxel.z >> 5u);
    if (word != pending_word) flush();
    pending_word = word;
    pending_bits |= 1u << (voxel.z & 31u);
}

void set_box(Box box) {
    for (int x = box.low.x; x <= box.high.x; ++x)
        for (int y = box.low.y; y <= box.high.y; ++y)
            for (int z = box.low.z; z <= box.high.z; ++z) set_voxel(uvec3(x, y, z));
}

// Of a bounding box one voxel thick along z, in turned coordinates: its plane passes all voxels,
// and so do two of the projections.
void set_slice(Overlap o, Box box) {
    for (int x = box.low.x; x <= box.high.x; ++x)
        for (int y = box.low.y; y <= box.high.y; ++y) {
            ivec3 voxel = ivec3(x, y, box.low.z);
            if (passes_projection(o, 2, voxel - box.low)) set_voxel(uvec3(turned_back(voxel)));
        }
}

void set_tested(Overlap o, Box box) {
    for (int x = box.low.x; x <= box.high.x; ++x)
        for (int y = box.low.y; y <= box.high.y; ++y)
            for (int z = box.low.z; z <= box.high.z; ++z) {
                ivec3 b = ivec3(x, y, z) - box.low;
                if (passes_plane(o, b) && passes_projection(o, 0, b) &&
                    passes_projection(o, 1, b) && passes_projection(o, 2, b))
                    set_voxel(uvec3(x, y, z));
            }
}
// A single voxel that the plane meets is met by the triangle itself.
void set_column(Overlap o, Box box, ivec2 b) {
    bool single;
    ivec2 met = met_by_plane(o, box, b, single);
    for (int z = met.x; z <= met.y; ++z) {
        ivec3 at = ivec3(b, z);
        if (kShortCuts != 0u && single || is_met(o, at))
            set_voxel(uvec3(turned_back(at + box.low)));
    }
}

void set_columns(Overlap o, Box box) {
    ivec2 size = (box.high - box.low).xy;
    // Turned once, the grid's z is the second axis, turned twice the first: it is the inner loop.
    if (turn == 2) {
        for (int y = 0; y <= size.y; ++y)
            for (int x = 0; x <= size.x; ++x) set_column(o, box, ivec2(x, y));
    } else {
        for (int x = 0; x <= size.x; ++x)
            for (int y = 0; y <= size.y; ++y) set_column(o, box, ivec2(x, y));
    }
}

void set_triangle(Corners corners, Overlap o, Box whole, Box box) {
    bvec3 flat_axes = equal(whole.low, whole.high);
    int flat_count = int(flat_axes.x) + int(flat_axes.y) + int(flat_axes.z);
    if (kShortCuts != 0u && flat_count >= 2) {
        set_box(box);
    } else if (kShortCuts != 0u && flat_count == 1) {
        turn = turn_to(flat_axes.x ? 0 : flat_axes.y ? 1 : 2);
        Overlap in_slice = overlap_of(relative(corners, 256 * box.low));
        set_slice(in_slice, Box(turned(box.low), turned(box.high)));
    } else if (kColumns != 0u) {
        turn = turn_to(main_axis(o));
        Overlap along = overlap_of(relative(corners, 256 * box.low));
        set_columns(along, Box(turned(box.low), turned(box.high)));
    } else {
        set_tested(o, box);
    }
    flush();
}

void add_large(uint triangle, uint count) {
    add_parts(triangle, count, params.room, parts_of_far(params.dims));
}

void take_triangle(uint triangle) {
    if (triangle >= params.triangles) return;
    Corners corners;
    uint fate = load_triangle(triangle, params.vertices, corners);
    if (fate == kFar) {
        add_large(triangle, parts_of_far(params.dims));
        return;
    }
    if (fate != kKept) {
        atomicAdd(counters[fate], 1u);
        return;
    }
    Box whole = bounds_of(corners);
    Box box = clipped(whole, params.dims);
    Overlap o = overlap_of(relative(corners, 256 * box.low));
    if (is_degenerate(corners)) atomicAdd(counters[kDegenerate], 1u);
    if (is_empty(box)) return;
    ivec3 size = box.high - box.low + 1;
    if (is_large(whole, size)) add_large(triangle, parts_of(size));
    else set_triangle(corners, o, whole, box);
}

void main() {
    begin_counting();
    uint i = invocation_index();
    if (i == 0u) begin_parts();
    take_triangle(i);
    barrier();
    end_counting();
}
