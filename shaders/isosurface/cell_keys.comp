#version 460
//! variants FIELD=0,1,2,3 DUAL=0
// The stream of cells: for each point of the lattice what its cell is, 0 where it has no triangles.

layout(local_size_x = 256) in;

#include "block.glsl"
#include "status.glsl"

writeonly buffer CellKeys { uint keys[]; } cell_keys;
#if FIELD != 3 // there they are cells that nobody knows
buffer Status { SurfaceStatus elements[]; } surface_status;
#endif

void main() {
    ivec3 block = ivec3(gl_WorkGroupID);
    load_tile(block);
    uint missing = 0u;
    for (int z = 0; z < int(kColumn); ++z) {
        ivec3 at = column() + ivec3(0, 0, z);
        ivec3 point = block * kBlock + at;
        ivec3 size = lattice();
        if (any(greaterThanEqual(point, size))) continue;
        uint key = 0u;
        if (is_cut()) {
            Owned owned = owned_by(block, at, false);
            if (owned.triangles != 0u) key = owned.cell.joined << 8 | owned.cell.inside;
        }
        cell_keys.keys[(point.z * size.y + point.y) * size.x + point.x] = key;
        ivec3 texel = point - params.shell;
        bool is_texel =
            all(greaterThanEqual(texel, ivec3(0))) && all(lessThan(texel, params.dims));
        if (is_texel && !is_number(tile_height(at))) ++missing;
    }
#if FIELD != 3
    if (missing != 0u) atomicAdd(surface_status.elements[0].not_finite, missing);
#endif
}
