#version 460
// What a flow is like: each group tallies the tiles that it comes to, every so many groups one.
// Which cells meet in which order depends on the dimensions alone.

layout(local_size_x = 32, local_size_y = 8) in;

uniform Params {
    uint tiles_across;
    uint tiles_down;
    uint tiles; // of all layers
} params;

#include "finite.glsl"
#include "solid.glsl"
#include "flow.glsl"
#include "slopes.glsl"
#include "tally.glsl"

writeonly buffer Parts { Tally values[]; } parts; // one for each group

// Towards a cell that is not finite there is none.
vec3 finite_slope(ivec3 cell, int axis) {
    vec3 found = slope(cell, axis);
    return is_finite(vec4(found, 0.0)) ? found : vec3(0.0);
}

void main() {
    Tally own = no_cells();
    Sums sums = Sums(vec4(0.0), vec4(0.0));
    for (uint tile = gl_WorkGroupID.x; tile < params.tiles; tile += gl_NumWorkGroups.x) {
        uint row = tile / params.tiles_across;
        uvec3 place = uvec3(tile % params.tiles_across, row % params.tiles_down,
                            row / params.tiles_down);
        ivec3 cell = ivec3(place * uvec3(gl_WorkGroupSize.xy, 1) + gl_LocalInvocationID);
        if (any(greaterThanEqual(cell, grid.dims)) || is_obstacle(cell)) continue;
        vec4 state = flow_cell(cell_index(cell));
        if (!is_finite(state)) {
            own.counts.y += 1u;
            continue;
        }
        vec3 x = finite_slope(cell, 0);
        vec3 y = finite_slope(cell, 1);
        vec3 z = finite_slope(cell, 2);
        vec3 whirl = curl_of(x, y, z);
        float divergence = x.x + y.y + z.z;
        float energy = 0.5 * (1.0 + state.w) * dot(state.xyz, state.xyz);
        add(sums, vec4(state.w, energy, divergence * divergence, dot(whirl, whirl)));
        vec3 speeds = abs(state.xyz);
        float fastest = max(speeds.x, max(speeds.y, speeds.z));
        own.extremes = max(own.extremes, vec4(fastest, -state.w, state.w, 0.0));
        own.counts.x += 1u;
    }
    own.sums = sums.value;
    own = join_group(own);
    if (gl_LocalInvocationIndex == 0u) parts.values[gl_WorkGroupID.x] = own;
}
