#version 460
//! variants FIELD=0,1,2
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
buffer Status { SurfaceStatus elements[]; } surface_status;

const int kLayers = kStack * kBlock.z;

// A byte for each block of the stack: two bits for all layers along z, two for the first one alone.
shared uint of_all;
shared uint of_x; // the points of the first layer along x alone
shared uint of_y;
shared uint of_xy;

void main() {
    ivec3 first = ivec3(gl_WorkGroupID) * ivec3(1, 1, kStack) * kBlock;
    uint lane = gl_LocalInvocationIndex;
    if (lane == 0u) {
        of_all = 0u;
        of_x = 0u;
        of_y = 0u;
        of_xy = 0u;
    }
    ivec3 at = first + column();
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
    if (missing != 0u) atomicAdd(surface_status.elements[0].not_finite, missing);
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
    if (lane >= uint(kStack) || block.z >= block_grid(size).z) return;
    uvec4 each = uvec4(of_all, of_x, of_y, of_xy) >> 8u * lane & 0xffu;
    block_sides.sides[block_number(block, size)] =
        each.x | each.y << 8 | each.z << 16 | each.w << 24;
}
