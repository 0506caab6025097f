// Which element of the result an invocation of a 16x16 group has.
#include "invocation.glsl"

// Groups are folded into two dimensions, and there may be too many: then it lies outside.
uvec2 own_element() {
    uint group = group_index();
    return uvec2(group % params.tiles.x, group / params.tiles.x) * 16u + gl_LocalInvocationID.xy;
}

bool is_inside(uvec2 element) {
    return element.x < params.columns && element.y < params.rows;
}
