#version 460
// The curl of a flow, and its length in the fourth number.

layout(local_size_x = 16, local_size_y = 16) in;

#include "solid.glsl"
#include "flow.glsl"
#include "slopes.glsl"

writeonly buffer Curl { vec4 cells[]; } curl;

void main() {
    ivec3 invocation = ivec3(gl_GlobalInvocationID);
    if (!is_taken(invocation, ivec3(1))) return;
    ivec3 cell = cell_taken(invocation, ivec3(1));
    vec3 whirl = curl_of(slope(cell, 0), slope(cell, 1), slope(cell, 2));
    curl.cells[cell_index(cell)] = vec4(whirl, length(whirl));
}
