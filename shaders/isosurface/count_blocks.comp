#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require
//! variants FIELD=0,1,2 DUAL=0,1
// How many vertices and triangles each block of points has: the one pass over the whole field.

layout(local_size_x = 256) in;

#include "block.glsl"
#include "status.glsl"

writeonly buffer BlockVertices { uint counts[]; } block_vertices;
writeonly buffer BlockTriangles { uint counts[]; } block_triangles;
writeonly buffer BlockUsed { uint flags[]; } block_used;
writeonly buffer BlockSlots { uint slots[]; } block_slots;
buffer Status { SurfaceStatus elements[]; } surface_status;

const uint kNoSlot = 0xffffffffu;

shared uint vertices;
shared uint triangles;

void main() {
    ivec3 block = ivec3(gl_WorkGroupID);
    if (gl_LocalInvocationIndex == 0u) {
        vertices = 0u;
        triangles = 0u;
    }
    load_tile(block);
    if (is_cut()) {
        uint own_vertices = 0u;
        uint own_triangles = 0u;
        for (int z = 0; z < int(kColumn); ++z) {
            Owned owned = owned_by(block, column() + ivec3(0, 0, z));
            own_vertices += owned.vertices;
            own_triangles += owned.triangles;
        }
        own_vertices = subgroupAdd(own_vertices);
        own_triangles = subgroupAdd(own_triangles);
        if (subgroupElect()) {
            atomicAdd(vertices, own_vertices);
            atomicAdd(triangles, own_triangles);
        }
    }
    if ((tile_has & kSomeNoNumber) != 0u) {
        uint missing = 0u;
        for (int z = 0; z < int(kColumn); ++z) {
            ivec3 at = column() + ivec3(0, 0, z);
            ivec3 texel = block * kBlock + at - params.shell;
            bool is_texel = all(greaterThanEqual(texel, ivec3(0))) &&
                            all(lessThan(texel, params.dims));
            if (is_texel && !is_number(tile_height(at))) ++missing;
        }
        if (missing != 0u) atomicAdd(surface_status.elements[0].not_finite, missing);
    }
    barrier();
    if (gl_LocalInvocationIndex != 0u) return;
    uint number = block_number(block);
    block_vertices.counts[number] = vertices;
    block_triangles.counts[number] = triangles;
    block_used.flags[number] = vertices | triangles;
    block_slots.slots[number] = kNoSlot;
}
