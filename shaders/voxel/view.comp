#version 460
// Voxels as little cubes, by rays through the grid.

layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const uint kColor = 0u;   // 0: the given one; 1: of the normal
layout(constant_id = 1) const uint kShadows = 1u;
layout(constant_id = 2) const uint kSmooth = 1u;  // normals from the voxels around

uniform Params {
    vec3 eye;     // voxels
    vec3 forward; // of a ray through the middle of the picture; from there ...
    vec3 right;   // ... to its right side
    vec3 down;    // ... and to its lower one
    uvec3 dims;
    ivec3 low; // voxels that are shown
    ivec3 high;
    vec3 towards_light; // of unit length
    vec3 color;
    vec3 cut_color;
    vec4 background;
} params;

writeonly uniform image2D result;
writeonly uniform image2D depth;

#include "march.glsl"

const float kAmbient = 0.42;
const float kBounced = 0.12; // more of it from above
const int kReach = 2;        // voxels that a smooth normal looks around

vec3 face_normal(VoxelHit hit, vec3 direction) {
    vec3 normal = vec3(0.0);
    int axis = max(hit.axis, 0);
    normal[axis] = direction[axis] > 0.0 ? -1.0 : 1.0;
    return normal;
}

// Away from where the voxels around are.
vec3 smooth_normal(ivec3 voxel, vec3 face) {
    vec3 sum = vec3(0.0);
    for (int x = -kReach; x <= kReach; ++x)
        for (int y = -kReach; y <= kReach; ++y)
            for (int z = -kReach; z <= kReach; ++z)
                if (is_set(params.dims, voxel + ivec3(x, y, z))) sum -= vec3(x, y, z);
    sum += face; // decides where they are all around
    return normalize(dot(sum, sum) > 0.25 ? sum : face);
}

bool is_shadowed(vec3 place, ivec3 voxel, vec3 face) {
    ivec3 from = voxel + ivec3(face);
    if (any(lessThan(from, params.low)) || any(greaterThanEqual(from, params.high))) return false;
    // A voxel's own neighbours on the same side shade it no more than the surface itself would.
    return march(params.dims, place + 0.5 * face, params.towards_light, 0.0, from, -1, params.low,
                 params.high)
        .found;
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    vec2 clip = (vec2(texel) + 0.5) / vec2(size) * 2.0 - 1.0;
    vec3 direction = normalize(params.forward + clip.x * params.right + clip.y * params.down);

    int axis;
    vec2 inside = cross_box(params.eye, direction, vec3(params.low), vec3(params.high), axis);
    VoxelHit hit = VoxelHit(false, ivec3(0), -1, 0.0);
    ivec3 first = ivec3(0);
    if (inside.x <= inside.y) {
        vec3 entry = params.eye + inside.x * direction;
        first = clamp(ivec3(floor(entry)), params.low, params.high - 1);
        hit = march(params.dims, params.eye, direction, inside.x, first, axis, params.low,
                    params.high);
    }
    imageStore(depth, texel, vec4(hit.found ? hit.t : -1.0));
    if (!hit.found) {
        imageStore(result, texel, params.background);
        return;
    }
    vec3 face = face_normal(hit, direction);
    // Where the ray comes in through a cut, there is a flat section.
    bool is_cut = hit.voxel == first && hit.t == inside.x && hit.axis >= 0 &&
                  is_set(params.dims, hit.voxel + ivec3(face));
    vec3 normal = kSmooth != 0u && !is_cut ? smooth_normal(hit.voxel, face) : face;
    float light = max(dot(normal, params.towards_light), 0.0);
    if (kShadows != 0u && light > 0.0) {
        vec3 place = params.eye + hit.t * direction;
        if (is_shadowed(place, hit.voxel, face)) light = 0.0;
    }
    vec3 color = kColor == 1u ? 0.5 + 0.5 * normal : is_cut ? params.cut_color : params.color;
    float all = kAmbient + kBounced * normal.y + 0.6 * light;
    imageStore(result, texel, vec4(color * all, 1.0));
}
