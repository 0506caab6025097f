#version 460
// Down the hierarchy of nodes: the transforms of what is drawn, then the matrices of all joints,
// each by the product from its node up to the root.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "motion_structs.glsl"
#include "scene/scene.glsl"

readonly buffer Nodes { MotionNode elements[]; } nodes;
readonly buffer Locals { mat4 matrices[]; } locals;
readonly buffer Joints { MotionJoint elements[]; } joints;
readonly buffer Places { ivec2 values[]; } places; // node or -1; the transform of the file
readonly buffer Transforms { SceneTransform elements[]; } transforms;
writeonly buffer Moved { SceneTransform elements[]; } moved;
writeonly buffer Palette { vec4 rows[]; } palette; // three a joint

uniform Params {
    uint transform_count;
    uint joint_count;
} params;

mat4 world_of(uint node) {
    mat4 world = locals.matrices[node];
    for (int above = nodes.elements[node].parent; above >= 0; above = nodes.elements[above].parent)
        world = locals.matrices[above] * world;
    return world;
}

// The inverse transpose; cofactors where a flattening transform has none.
mat4 normal_transform(mat4 world) {
    mat3 m = mat3(world);
    mat3 cofactors = mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
    float determinant = dot(m[0], cofactors[0]);
    return mat4(determinant != 0.0 ? cofactors / determinant : cofactors);
}

void main() {
    uint i = invocation_index();
    if (i < params.transform_count) {
        ivec2 place = places.values[i];
        if (place.x < 0) {
            moved.elements[i] = transforms.elements[i];
            return;
        }
        mat4 world = transforms.elements[place.y].world * world_of(uint(place.x));
        moved.elements[i] = SceneTransform(world, normal_transform(world));
        return;
    }
    i -= params.transform_count;
    if (i >= params.joint_count) return;
    vec4 rows[3] = joints.elements[i].inverse_bind;
    mat4 bind = transpose(mat4(rows[0], rows[1], rows[2], vec4(0.0, 0.0, 0.0, 1.0)));
    mat4 matrix = transpose(world_of(joints.elements[i].node) * bind);
    for (uint row = 0u; row < 3u; ++row)
        palette.rows[3u * i + row] = matrix[row];
}
