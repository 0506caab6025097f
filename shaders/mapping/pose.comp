#version 460
// A pose of parameters, or of a list.
#include "camera.glsl"

layout(local_size_x = 1) in;

readonly buffer List { float numbers[]; } list;
layout(constant_id = 0) const uint has_list = 0;
writeonly buffer CameraPose { vec4 rows[4]; } camera_pose;

uniform Params {
    vec4 row_x;
    vec4 row_y;
    vec4 row_z;
    uint index;
    uint poses;   // in the list
    uint numbers; // of a pose: 16 of a matrix, 7 of a place and a quaternion
} params;

vec4 matrix_row(uint at) {
    return vec4(list.numbers[at], list.numbers[at + 1u], list.numbers[at + 2u], list.numbers[at + 3u]);
}

// Rows of the rotation of a quaternion, which need not have length 1, and a place.
vec4[4] rows_of_quaternion(vec3 place, vec4 q) {
    q /= length(q);
    vec3 x = vec3(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y - q.w * q.z), 2.0 * (q.x * q.z + q.w * q.y));
    vec3 y = vec3(2.0 * (q.x * q.y + q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z - q.w * q.x));
    vec3 z = vec3(2.0 * (q.x * q.z - q.w * q.y), 2.0 * (q.y * q.z + q.w * q.x), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
    return vec4[4](vec4(x, place.x), vec4(y, place.y), vec4(z, place.z), vec4(0.0, 0.0, 0.0, 1.0));
}

vec4[4] listed_pose() {
    uint at = params.numbers * params.index;
    if (params.index >= params.poses) return vec4[4](vec4(0.0), vec4(0.0), vec4(0.0), vec4(0.0));
    if (params.numbers == 16u)
        return vec4[4](matrix_row(at), matrix_row(at + 4u), matrix_row(at + 8u), matrix_row(at + 12u));
    return rows_of_quaternion(matrix_row(at).xyz, matrix_row(at + 3u));
}

void main() {
    vec4 rows[4] = vec4[4](params.row_x, params.row_y, params.row_z, vec4(0.0, 0.0, 0.0, 1.0));
    if (has_list != 0u) rows = listed_pose();
    bool known = pose_of(rows[0], rows[1], rows[2], rows[3]).known;
    for (int i = 0; i < 3; ++i) camera_pose.rows[i] = known ? rows[i] : vec4(0.0);
    camera_pose.rows[3] = vec4(0.0, 0.0, 0.0, known ? 1.0 : 0.0);
}
