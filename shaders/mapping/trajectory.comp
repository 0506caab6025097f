#version 460
// Brings a pose into a record of positions, and its errors into the errors so far.
#include "camera.glsl"
#include "trajectory_status.glsl"

layout(local_size_x = 64) in;

#include "invocation.glsl"

readonly buffer CameraPose { vec4 rows[]; } camera_pose;
readonly buffer Truth { vec4 rows[]; } truth;
layout(constant_id = 0) const uint has_truth = 0;
readonly buffer Before { vec4 values[]; } before;
readonly buffer TrueBefore { vec4 values[]; } true_before;
readonly buffer StatusBefore { TrajectoryStatus words[]; } status_before;
writeonly buffer Positions { vec4 values[]; } positions;
writeonly buffer TruePositions { vec4 values[]; } true_positions;
writeonly buffer Status { TrajectoryStatus words[]; } status;

uniform Params {
    uint room;
} params;

// Degrees between two rotations; exact also for small ones.
float degrees_between(mat3 a, mat3 b) {
    mat3 m = transpose(a) * b;
    vec3 axis = 0.5 * vec3(m[1].z - m[2].y, m[2].x - m[0].z, m[0].y - m[1].x);
    return degrees(atan(length(axis), 0.5 * (m[0].x + m[1].y + m[2].z - 1.0)));
}

float running_rms(float before, float count, float value) {
    return sqrt((before * before * count + value * value) / (count + 1.0));
}

void main() {
    uint i = invocation_index();
    if (i >= params.room) return;
    Pose pose = pose_of(camera_pose.rows[0], camera_pose.rows[1], camera_pose.rows[2], camera_pose.rows[3]);
    Pose actual = Pose(mat3(1.0), vec3(0.0), false);
    if (has_truth != 0u) actual = pose_of(truth.rows[0], truth.rows[1], truth.rows[2], truth.rows[3]);
    TrajectoryStatus now = status_before.words[0];
    bool is_this = i == now.frames;
    positions.values[i] = is_this ? (pose.known ? vec4(pose.place, 1.0) : vec4(0.0)) : before.values[i];
    true_positions.values[i] =
        is_this ? (actual.known ? vec4(actual.place, 1.0) : vec4(0.0)) : true_before.values[i];
    if (i != 0u) return;
    now.distance = 0.0;
    now.angle = 0.0;
    if (!pose.known) {
        now.lost += 1u;
    } else if (actual.known) {
        float count = float(now.frames - now.lost);
        now.distance = length(pose.place - actual.place);
        now.angle = degrees_between(actual.turn, pose.turn);
        now.rms_distance = running_rms(now.rms_distance, count, now.distance);
        now.rms_angle = running_rms(now.rms_angle, count, now.angle);
        now.most_distance = max(now.most_distance, now.distance);
        now.most_angle = max(now.most_angle, now.angle);
    }
    now.frames += 1u;
    status.words[0] = now;
}
