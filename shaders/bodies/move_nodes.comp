#version 460
// The transforms of the nodes of a scene that rigid bodies carry; all others as they are.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "scene/scene.glsl"

readonly buffer Followers { uint bodies[]; } followers; // a transform's body; kNoBody: none
readonly buffer Places { vec4 values[]; } places;
readonly buffer Turns { vec4 values[]; } turns; // quaternions x, y, z, w
readonly buffer InitialPlaces { vec4 values[]; } initial_places;
readonly buffer InitialTurns { vec4 values[]; } initial_turns;
readonly buffer Transforms { SceneTransform elements[]; } transforms;
writeonly buffer Moved { SceneTransform elements[]; } moved;

layout(constant_id = 0) const uint has_initial = 0;

uniform Params { uint transform_count; } params;

const uint kNoBody = 0xffffffffu;

mat3 rotation_of(vec4 q) {
    return mat3(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z),
                2.0 * (q.x * q.z - q.w * q.y), 2.0 * (q.x * q.y - q.w * q.z),
                1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z + q.w * q.x),
                2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x),
                1.0 - 2.0 * (q.x * q.x + q.y * q.y));
}

void main() {
    uint i = invocation_index();
    if (i >= params.transform_count) return;
    SceneTransform transform = transforms.elements[i];
    uint body = followers.bodies[i];
    if (body != kNoBody) {
        mat3 turn = rotation_of(turns.values[body]);
        vec3 place = places.values[body].xyz;
        mat3 shape; // of the mesh as the body sees it
        vec3 offset = vec3(0.0);
        if (has_initial != 0u) {
            mat3 back = transpose(rotation_of(initial_turns.values[body]));
            shape = back * mat3(transform.world);
            offset = back * (transform.world[3].xyz - initial_places.values[body].xyz);
        } else {
            vec3 scale = vec3(length(transform.world[0].xyz), length(transform.world[1].xyz),
                              length(transform.world[2].xyz));
            scale.x *= determinant(mat3(transform.world)) < 0.0 ? -1.0 : 1.0;
            shape = mat3(vec3(scale.x, 0.0, 0.0), vec3(0.0, scale.y, 0.0), vec3(0.0, 0.0, scale.z));
        }
        mat3 m = turn * shape;
        mat3 cofactors = mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
        float volume = dot(m[0], cofactors[0]);
        transform.world = mat4(vec4(m[0], 0.0), vec4(m[1], 0.0), vec4(m[2], 0.0),
                               vec4(turn * offset + place, 1.0));
        transform.normal = mat4(volume != 0.0 ? cofactors / volume : cofactors);
    }
    moved.elements[i] = transform;
}
