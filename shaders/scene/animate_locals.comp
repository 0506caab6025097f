#version 460
// The transforms of all nodes to their parents at a time, then the weights of all morph targets,
// out of one clip or of two.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "motion_structs.glsl"
#include "motion_channels.glsl"

readonly buffer Nodes { MotionNode elements[]; } nodes;
readonly buffer NodeChannels { ivec4 values[]; } node_channels;      // a node, clip by clip
readonly buffer WeightChannels { int values[]; } weight_channels;    // a group, clip by clip
readonly buffer RestWeights { MotionWeight elements[]; } rest_weights;
writeonly buffer Locals { mat4 matrices[]; } locals;
writeonly buffer Weights { float values[]; } weights;

uniform Params {
    uint node_count;
    uint weight_count;
    uint weight_groups;
    uint clip; // kNoClip: all is at rest
    uint second_clip;
    float time;
    float second_time;
    float blend; // 1: the second clip alone
} params;

const uint kNoClip = 0xffffffffu;

struct Pose {
    vec3 translation;
    vec4 rotation;
    vec3 scale;
    bool moved; // by a channel
};

Pose pose_of(uint node, uint clip, float time) {
    Pose pose = Pose(nodes.elements[node].translation, nodes.elements[node].rotation,
                     nodes.elements[node].scale, false);
    if (clip == kNoClip) return pose;
    ivec4 of_node = node_channels.values[clip * params.node_count + node];
    if (of_node.x >= 0) pose.translation = channel_value(of_node.x, time, 3u, 0u, 3u, false).xyz;
    if (of_node.y >= 0) pose.rotation = channel_value(of_node.y, time, 4u, 0u, 4u, true);
    if (of_node.z >= 0) pose.scale = channel_value(of_node.z, time, 3u, 0u, 3u, false).xyz;
    pose.moved = any(greaterThanEqual(of_node.xyz, ivec3(0)));
    return pose;
}

Pose blended(Pose a, Pose b, float share) {
    return Pose(mix(a.translation, b.translation, share),
                slerp(unit_quaternion(a.rotation), unit_quaternion(b.rotation), share),
                mix(a.scale, b.scale, share), a.moved || b.moved);
}

// Translation, then rotation, then scale, as they stand in the product.
mat4 matrix_of(Pose pose) {
    vec4 q = pose.rotation;
    vec3 x = vec3(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z),
                  2.0 * (q.x * q.z - q.w * q.y));
    vec3 y = vec3(2.0 * (q.x * q.y - q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z),
                  2.0 * (q.y * q.z + q.w * q.x));
    vec3 z = vec3(2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x),
                  1.0 - 2.0 * (q.x * q.x + q.y * q.y));
    return mat4(vec4(pose.scale.x * x, 0.0), vec4(pose.scale.y * y, 0.0),
                vec4(pose.scale.z * z, 0.0), vec4(pose.translation, 1.0));
}

float weight_of(MotionWeight weight, uint clip, float time) {
    if (clip == kNoClip) return weight.rest;
    int channel = weight_channels.values[clip * params.weight_groups + weight.group];
    if (channel < 0) return weight.rest;
    return channel_value(channel, time, weight.count, weight.target, 1u, false).x;
}

void main() {
    uint i = invocation_index();
    if (i < params.node_count) {
        Pose pose = pose_of(i, params.clip, params.time);
        if (params.blend > 0.0)
            pose = blended(pose, pose_of(i, params.second_clip, params.second_time), params.blend);
        locals.matrices[i] = pose.moved ? matrix_of(pose) : nodes.elements[i].local;
        return;
    }
    i -= params.node_count;
    if (i >= params.weight_count) return;
    MotionWeight rest = rest_weights.elements[i];
    float weight = weight_of(rest, params.clip, params.time);
    if (params.blend > 0.0)
        weight = mix(weight, weight_of(rest, params.second_clip, params.second_time), params.blend);
    weights.values[i] = weight;
}
