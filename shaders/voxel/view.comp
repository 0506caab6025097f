#version 460
// Voxels as little cubes, by rays through the grid.

layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const uint kColor = 0u;   // 0: the given one; 1: of the normal
layout(constant_id = 1) const uint kShadows = 1u;
layout(constant_id = 2) const uint kSmooth = 1u;  // normals from the voxels around
layout(constant_id = 3) const uint kWorld = 0u;   // 1: the camera is in the world
layout(constant_id = 4) const uint has_behind = 0u;
layout(constant_id = 5) const uint has_behind_depth = 0u;

uniform Params {
    vec3 eye;     // voxels, or in the world
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
    float near_plane; // in the world
    float far_plane;
} params;

readonly buffer Frame { vec4 rows[]; } frame; // corner; voxels per world unit
uniform sampler2D behind;
uniform sampler2D behind_depth;
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

// In voxels.
struct Ray {
    vec3 eye;
    vec3 direction; // of unit length
    float world_z;  // how much deeper in the view a voxel's length leads, world units
};

Ray ray_through(vec2 clip) {
    vec3 towards = normalize(params.forward + clip.x * params.right + clip.y * params.down);
    if (kWorld == 0u) return Ray(params.eye, towards, 1.0);
    vec3 along = towards * frame.rows[1].xyz;
    return Ray((params.eye - frame.rows[0].xyz) * frame.rows[1].xyz, normalize(along),
               dot(towards, params.forward) / length(along));
}

float clip_depth(float z) {
    return params.far_plane / (params.far_plane - params.near_plane) * (1.0 - params.near_plane / z);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    vec2 clip = (vec2(texel) + 0.5) / vec2(size) * 2.0 - 1.0;
    Ray ray = ray_through(clip);
    vec3 direction = ray.direction;

    int axis;
    vec2 inside = cross_box(ray.eye, direction, vec3(params.low), vec3(params.high), axis);
    VoxelHit hit = VoxelHit(false, ivec3(0), -1, 0.0);
    ivec3 first = ivec3(0);
    if (inside.x <= inside.y) {
        vec3 entry = ray.eye + inside.x * direction;
        first = clamp(ivec3(floor(entry)), params.low, params.high - 1);
        hit = march(params.dims, ray.eye, direction, inside.x, first, axis, params.low,
                    params.high);
    }
    float found_at = hit.found ? hit.t : -1.0;
    if (kWorld != 0u) found_at = hit.found ? clip_depth(hit.t * ray.world_z) : 1.0;
    vec4 around = params.background;
    if (has_behind != 0u && has_behind_depth != 0u) {
        float other = texelFetch(behind_depth, texel, 0).r;
        around = texelFetch(behind, texel, 0);
        hit.found = hit.found && found_at <= other;
        found_at = min(found_at, other);
    }
    imageStore(depth, texel, vec4(found_at));
    if (!hit.found) {
        imageStore(result, texel, around);
        return;
    }
    vec3 face = face_normal(hit, direction);
    // Where the ray comes in through a cut, there is a flat section.
    bool is_cut = hit.voxel == first && hit.t == inside.x && hit.axis >= 0 &&
                  is_set(params.dims, hit.voxel + ivec3(face));
    vec3 normal = kSmooth != 0u && !is_cut ? smooth_normal(hit.voxel, face) : face;
    float light = max(dot(normal, params.towards_light), 0.0);
    if (kShadows != 0u && light > 0.0) {
        vec3 place = ray.eye + hit.t * direction;
        if (is_shadowed(place, hit.voxel, face)) light = 0.0;
    }
    vec3 color = kColor == 1u ? 0.5 + 0.5 * normal : is_cut ? params.cut_color : params.color;
    float all = kAmbient + kBounced * normal.y + 0.6 * light;
    imageStore(result, texel, vec4(color * all, 1.0));
}
