#version 460
// The end of an alignment: where the camera is, or that it is lost and stays where it was seen last.
#include "alignment.glsl"
#include "camera.glsl"
#include "tracking_status.glsl"

layout(local_size_x = 1) in;

readonly buffer State { Alignment now; } state;
readonly buffer Before { vec4 rows[]; } before; // of the reference camera, and two counts; all 0 at the start
readonly buffer First { vec4 rows[]; } first;
layout(constant_id = 0) const uint has_before = 0; // else the reference camera is the world
layout(constant_id = 1) const uint has_first = 0;
writeonly buffer CameraPose { vec4 rows[4]; } camera_pose; // last row 0 where it is lost
writeonly buffer Kept { vec4 rows[5]; } kept;              // for the next execution
writeonly buffer Status { TrackingStatus words[]; } status;

uniform Params {
    vec4 first_x; // where nothing is connected
    vec4 first_y;
    vec4 first_z;
    uint least_pairs;
    float most_error; // metres
    float most_difference; // of brightness
    float most_moved; // metres
    float most_turned; // radians
} params;

mat4 matrix_of(vec4 x, vec4 y, vec4 z) {
    return transpose(mat4(x, y, z, vec4(0.0, 0.0, 0.0, 1.0)));
}

// What speaks against the alignment.
uint failure_of(mat4 motion, out float moved, out float turned) {
    moved = length(motion[3].xyz);
    // From the antisymmetric part: the trace says little about small angles.
    vec3 axis = 0.5 * vec3(motion[1].z - motion[2].y, motion[2].x - motion[0].z, motion[0].y - motion[1].x);
    turned = atan(length(axis), 0.5 * (motion[0].x + motion[1].y + motion[2].z - 1.0));
    uint failure = 0u;
    if (max(state.now.pairs, state.now.looks) < params.least_pairs) failure |= kTooFewPairs;
    if (!(sqrt(state.now.residual) <= params.most_error)) failure |= kTooFarOff;
    if (!(sqrt(state.now.grey_residual) <= params.most_difference)) failure |= kTooUnlike;
    if (!(moved <= params.most_moved && turned <= params.most_turned)) failure |= kTooFast;
    if (!is_finite(moved + turned)) failure |= kNotFinite;
    return failure;
}

void main() {
    bool begins = has_before != 0u && before.rows[4].x == 0.0;
    mat4 reference = mat4(1.0);
    float frames = 0.0;
    float lost_frames = 0.0;
    if (has_before != 0u && !begins) {
        reference = matrix_of(before.rows[0], before.rows[1], before.rows[2]);
        frames = before.rows[4].x;
        lost_frames = before.rows[4].y;
    }
    mat4 motion = matrix_of(state.now.rows[0], state.now.rows[1], state.now.rows[2]);
    float moved = 0.0;
    float turned = 0.0;
    uint failure = begins ? 0u : failure_of(motion, moved, turned);
    mat4 result = failure == 0u ? reference * motion : reference;
    if (begins) {
        result = matrix_of(params.first_x, params.first_y, params.first_z);
        if (has_first != 0u) {
            result = matrix_of(first.rows[0], first.rows[1], first.rows[2]);
            if (!pose_of(first.rows[0], first.rows[1], first.rows[2], first.rows[3]).known) failure = kNotFinite;
        }
    }
    // The world's place is found out once: a start without a pose waits for one.
    bool waits = begins && failure != 0u;
    if (failure != 0u) lost_frames += 1.0;
    frames += 1.0;
    mat4 rows = transpose(result);
    for (int i = 0; i < 3; ++i) {
        camera_pose.rows[i] = waits ? vec4(0.0) : rows[i];
        kept.rows[i] = waits ? vec4(0.0) : rows[i];
    }
    camera_pose.rows[3] = vec4(0.0, 0.0, 0.0, failure == 0u ? 1.0 : 0.0);
    kept.rows[3] = vec4(0.0, 0.0, 0.0, 1.0);
    kept.rows[4] = waits ? vec4(0.0) : vec4(frames, lost_frames, 0.0, 0.0);
    status.words[0] = TrackingStatus(uint(frames), uint(failure != 0u), uint(lost_frames),
                                  begins ? 0u : state.now.iterations, begins ? 0u : state.now.unconstrained,
                                  begins ? 0u : state.now.pairs, begins ? 0u : state.now.looks,
                                  begins ? 0.0 : sqrt(state.now.residual), begins ? 0.0 : sqrt(state.now.grey_residual),
                                  moved, turned, failure);
}
