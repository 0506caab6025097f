#version 460
//! variants FIELD=0,1,2,3
// On which sides of the surface the points of each block are, and those of its layers that the
// blocks before it look at. The one pass over the whole field: it reads each point once, and as many
// as it can before it looks at the first.
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 256) in;

#include "blocks.glsl"
#include "grid.glsl"
#include "sides.glsl"
#include "status.glsl"

writeonly buffer BlockSides { uint sides[]; } block_sides;
#if FIELD != 3 // there they are cells that nobody knows
buffer Status { SurfaceStatus elements[]; } surface_status;
#endif

const int kLayers = kStack * kBlock.z;

// A byte for each block of the stack: two bits for all layers along z, two for the first one alone.
shared uint of_all;
shared uint of_x; // the points of the first layer along x alone
shared uint of_y;
shared uint of_xy;

#if FIELD == 3
shared uint has_brick; // 1: some brick that the stack reaches into has memory

// Ends with a barrier.
void look_for_bricks(ivec3 first) {
    if (gl_LocalInvocationIndex == 0u) has_brick = 0u;
    barrier();
    ivec3 end = first + ivec3(kBlock.xy, kLayers) - 1;
    ivec3 low = clamp(first - params.shell, ivec3(0), params.dims - 1) / kSlot;
    ivec3 high = clamp(end - params.shell, ivec3(0), params.dims - 1) / kSlot;
    ivec3 size = high - low + 1;
    for (int i = int(gl_LocalInvocationIndex); i < size.x * size.y * size.z; i += 256) {
        ivec3 step_ = ivec3(i % size.x, i / size.x % size.y, i / (size.x * size.y));
        if (base_of_brick(low + step_) != kNoElement) has_brick = 1u;
    }
    barrier();
}
#endif

uint sides_of_points(ivec3 at) {
    ivec3 size = lattice();
    float heights[kLayers];
    [[unroll]] for (int z = 0; z < kLayers; ++z)
        heights[z] = field_at(min(at + ivec3(0, 0, z), size - 1));
    uint sides = 0u;
    uint missing = 0u;
    [[unroll]] for (int z = 0; z < kLayers; ++z) {
        ivec3 point = at + ivec3(0, 0, z);
        if (any(greaterThanEqual(point, size))) continue;
        if (!is_number(heights[z])) {
            ivec3 texel = point - params.shell;
            if (all(greaterThanEqual(texel, ivec3(0))) && all(lessThan(texel, params.dims)))
                ++missing;
            continue;
        }
        uint side = heights[z] > 0.0 ? kSomeInside : kSomeOutside;
        if (z % kBlock.z == 0) side |= side << 2;
        sides |= side << 8 * (z / kBlock.z);
    }
#if FIELD != 3
    if (missing != 0u) atomicAdd(surface_status.elements[0].not_finite, missing);
#endif
    return sides;
}

void main() {
    ivec3 first = ivec3(gl_WorkGroupID) * ivec3(1, 1, kStack) * kBlock;
    uint lane = gl_LocalInvocationIndex;
    if (lane == 0u) {
        of_all = 0u;
        of_x = 0u;
        of_y = 0u;
        of_xy = 0u;
    }
    uint sides = 0u;
#if FIELD == 3
    look_for_bricks(first);
    if (has_brick != 0u) sides = sides_of_points(first + column());
#else
    sides = sides_of_points(first + column());
#endif
    barrier();
    bool is_first_x = (lane & 31u) == 0u;
    bool is_first_y = lane < 32u;
    uint all = subgroupOr(sides);
    uint x = subgroupOr(is_first_x ? sides : 0u);
    uint y = subgroupOr(is_first_y ? sides : 0u);
    if (subgroupElect()) {
        if (all != 0u) atomicOr(of_all, all);
        if (x != 0u) atomicOr(of_x, x);
        if (y != 0u) atomicOr(of_y, y);
    }
    if (lane == 0u) of_xy = sides;
    barrier();
    ivec3 block = first / kBlock + ivec3(0, 0, lane);
    if (lane >= uint(kStack) || block.z >= block_grid(lattice()).z) return;
    uvec4 each = uvec4(of_all, of_x, of_y, of_xy) >> 8u * lane & 0xffu;
    block_sides.sides[block_number(block, lattice())] =
        each.x | each.y << 8 | each.z << 16 | each.w << 24;
}
