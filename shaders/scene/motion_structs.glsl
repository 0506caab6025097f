// How a scene moves, as buffers hold it: the structs of engine/include/tuff/scene_motion.hpp.

struct MotionNode {
    mat4 local;
    vec4 rotation; // quaternion x, y, z, w
    vec3 translation;
    int parent; // -1: none
    vec3 scale;
    uint padding;
};

struct MotionChannel {
    uint first_time;
    uint key_count;
    uint first_value;
    uint interpolation; // kStep...
};

struct MotionWeight {
    float rest;
    uint group;
    uint target;
    uint count; // targets of the group
};

struct MotionJoint {
    vec4 inverse_bind[3]; // rows
    uint node;
    uint padding[3];
};

struct MotionRange {
    uint first_vertex;
    uint vertex_count;
    uint first_joint;
    uint influence_sets;
    uint first_influence;
    uint first_weight;
    uint target_count;
    uint first_delta;
    uint has_normals;
    uint has_tangents;
    uint padding0;
    uint padding1;
};
