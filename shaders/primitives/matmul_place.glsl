// Which element of the result an invocation of a 16x16 group has.
#include "invocation.glsl"

// `tiles`: of the result. Groups are folded into two dimensions, and there may be too many: then it
// lies outside.
uvec2 own_element(uvec2 tiles) {
    uint group = group_index();
    return uvec2(group % tiles.x, group / tiles.x) * 16u + gl_LocalInvocationID.xy;
}

bool is_inside(uvec2 element, uint columns, uint rows) {
    return element.x < columns && element.y < rows;
}
