#version 460
// A grid's frame from the vertices of a mesh: cubic voxels, and the mesh in the middle with at
// least half a voxel around it.
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 256) in;

uniform Params {
    uvec3 dims;
    uint vertices;
    uint groups;
} params;

readonly buffer Positions { float values[]; } positions;
coherent buffer Bounds { uint words[]; } bounds; // all bits set: least, then greatest, then done
writeonly buffer Frame { vec4 rows[]; } frame;

const uint kDone = 6u;
const float kMax = 1e18;   // coordinates beyond count as this
const float kLeast = 1e-30; // side of a voxel

shared uint least_words[6];
shared uint is_last;

// Bits that compare as the numbers do.
uint ordered(float x) {
    uint bits = floatBitsToUint(x);
    return bits ^ ((bits & 0x80000000u) != 0u ? 0xffffffffu : 0x80000000u);
}

float from_ordered(uint bits) {
    return uintBitsToFloat(bits ^ ((bits & 0x80000000u) != 0u ? 0x80000000u : 0xffffffffu));
}

void write_frame() {
    vec3 low;
    vec3 high;
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        uint least = atomicMin(bounds.words[axis], 0xffffffffu);
        uint most = atomicMin(bounds.words[axis + 3], 0xffffffffu);
        bool is_none = least == 0xffffffffu;
        low[axis] = is_none ? 0.0 : from_ordered(least);
        high[axis] = is_none ? 0.0 : from_ordered(~most);
    }
    vec3 room = max(vec3(params.dims) - 1.0, vec3(0.5));
    vec3 sides = (high - low) / room;
    float side = max(sides.x, max(sides.y, sides.z));
    if (side == 0.0) side = 1.0;
    side = max(side, kLeast);
    frame.rows[0] = vec4(0.5 * (low + high) - 0.5 * side * vec3(params.dims), 0.0);
    frame.rows[1] = vec4(vec3(1.0 / side), 0.0);
    frame.rows[2] = vec4(vec3(side), 0.0);
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    if (lane < 6u) least_words[lane] = 0xffffffffu;
    barrier();
    uint words[6] = uint[6](0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu,
                            0xffffffffu);
    uint group = gl_WorkGroupID.x;
    for (uint i = group * 256u + lane; i < params.vertices; i += 256u * params.groups) {
        vec3 p = vec3(positions.values[3u * i], positions.values[3u * i + 1u],
                      positions.values[3u * i + 2u]);
        if (any(greaterThanEqual(floatBitsToUint(p) & 0x7fffffffu, uvec3(0x7f800000u)))) continue;
        p = clamp(p, -kMax, kMax);
        [[unroll]] for (int axis = 0; axis < 3; ++axis) {
            words[axis] = min(words[axis], ordered(p[axis]));
            words[axis + 3] = min(words[axis + 3], ~ordered(p[axis]));
        }
    }
    [[unroll]] for (int i = 0; i < 6; ++i) {
        uint least = subgroupMin(words[i]);
        if (subgroupElect()) atomicMin(least_words[i], least);
    }
    barrier();
    if (lane < 6u) atomicMin(bounds.words[lane], least_words[lane]);
    memoryBarrierBuffer();
    barrier();
    if (lane == 0u) is_last = uint(atomicAdd(bounds.words[kDone], 1u) + 2u == params.groups);
    barrier();
    memoryBarrierBuffer();
    if (is_last != 0u && lane == 0u) write_frame();
}
