#version 460
// The sides of bricks that face away from the eye: those of a bucket, in the order of their distance.
// The eye may be in a brick.

#include "sparse/bricks.glsl"
#include "sparse_draw.glsl"

readonly buffer BrickList { uint words[]; } brick_list;
readonly buffer Order { uvec2 entries[]; } order;

layout(location = 0) flat out uvec2 entry;

void main() {
    uint count = brick_list.words[0];
    uint size = (count + params.buckets - 1u) / params.buckets;
    uint i = params.bucket * size + uint(gl_InstanceIndex);
    if (uint(gl_InstanceIndex) >= size || i >= count) {
        entry = uvec2(0u);
        gl_Position = vec4(0.0, 0.0, -1.0, 1.0); // before the near plane
        return;
    }
    entry = order.entries[i];
    // Six sides of two triangles, whose corners are bits.
    const uint kCorners[6] = uint[6](0u, 1u, 2u, 2u, 1u, 3u);
    int side = gl_VertexIndex / 6;
    uint corner = kCorners[gl_VertexIndex % 6];
    int axis = side >> 1;
    vec3 place;
    place[axis] = float(side & 1);
    place[(axis + 1) % 3] = float(corner & 1u);
    place[(axis + 2) % 3] = float(corner >> 1);
    // A side whose outside the eye sees is left out.
    vec3 low = vec3(brick_at(entry.x) * kBrick);
    bool faces = (side & 1) != 0 ? params.eye[axis] > low[axis] + vec3(kBrick)[axis]
                                 : params.eye[axis] < low[axis];
    gl_Position = faces ? vec4(0.0, 0.0, -1.0, 1.0)
                        : params.clip_of_cells * vec4(low + place * vec3(kBrick), 1.0);
}
