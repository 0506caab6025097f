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

#include "voxel/grid.glsl"

readonly buffer Words { uint values[]; } words;
writeonly uniform image2D result;
writeonly uniform image2D depth;

// Rays through a grid, voxel by voxel (Amanatides and Woo 1987), and over 32 at a time where a word
// is empty. Before it: `words` and `params.dims`; after grid.glsl.

struct VoxelHit {
    bool found;
    ivec3 voxel;
    int axis;   // of the face that the ray comes through; -1: it begins inside
    float t;    // along the ray
};

// Where a ray enters a box, and where it leaves it: x to y; empty where x > y.
vec2 cross_box(vec3 origin, vec3 direction, vec3 low, vec3 high, out int axis) {
    vec2 range = vec2(0.0, 1e30);
    axis = -1;
    for (int i = 0; i < 3; ++i) {
        if (direction[i] == 0.0) {
            if (origin[i] < low[i] || origin[i] >= high[i]) range.y = -1.0;
            continue;
        }
        float a = (low[i] - origin[i]) / direction[i];
        float b = (high[i] - origin[i]) / direction[i];
        if (min(a, b) > range.x) {
            range.x = min(a, b);
            axis = i;
        }
        range.y = min(range.y, max(a, b));
    }
    return range;
}

uint word_at(ivec3 voxel) {
    return words.values[row_of(params.dims, uint(voxel.x), uint(voxel.y)) + uint(voxel.z >> 5)];
}

bool is_set(ivec3 voxel) {
    if (any(lessThan(voxel, ivec3(0))) || any(greaterThanEqual(voxel, ivec3(params.dims))))
        return false;
    return (word_at(voxel) >> uint(voxel.z & 31) & 1u) != 0u;
}

// The first set voxel from `voxel` on, which the ray is in at `t`, among those from low to high - 1.
VoxelHit march(vec3 origin, vec3 direction, float t, ivec3 voxel, int axis, ivec3 low,
               ivec3 high) {
    ivec3 forward = ivec3(greaterThan(direction, vec3(0.0)));
    // A step goes to another voxel, so there are no more of them than this.
    int most = high.x - low.x + high.y - low.y + high.z - low.z;
    for (int i = 0; i <= most; ++i) {
        uint word = word_at(voxel);
        if ((word >> uint(voxel.z & 31) & 1u) != 0u) return VoxelHit(true, voxel, axis, t);
        // The box that is empty: a voxel, or what the word holds.
        int begin = voxel.z & ~31;
        ivec3 edge = voxel + forward;
        if (word == 0u) edge.z = forward.z != 0 ? begin + 32 : begin;
        vec3 along = vec3(1e30);
        for (int k = 0; k < 3; ++k)
            if (direction[k] != 0.0) along[k] = (float(edge[k]) - origin[k]) / direction[k];
        axis = along.x < along.y ? along.x < along.z ? 0 : 2 : along.y < along.z ? 1 : 2;
        t = max(t, along[axis]);
        if (axis == 2) {
            voxel.z = forward.z != 0 ? edge.z : edge.z - 1;
        } else {
            voxel[axis] += 2 * forward[axis] - 1;
            if (word == 0u) {
                // Rounding must not take it back, nor into another word.
                int z = int(floor(origin.z + t * direction.z));
                voxel.z = forward.z != 0 ? clamp(z, voxel.z, begin + 31)
                                         : clamp(z, begin, voxel.z);
            }
        }
        if (any(lessThan(voxel, low)) || any(greaterThanEqual(voxel, high))) break;
    }
    return VoxelHit(false, ivec3(0), -1, t);
}

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
                if (is_set(voxel + ivec3(x, y, z))) sum -= vec3(x, y, z);
    sum += face; // decides where they are all around
    return normalize(dot(sum, sum) > 0.25 ? sum : face);
}

bool is_shadowed(vec3 place, ivec3 voxel, vec3 face) {
    ivec3 from = voxel + ivec3(face);
    if (any(lessThan(from, params.low)) || any(greaterThanEqual(from, params.high))) return false;
    // A voxel's own neighbours on the same side shade it no more than the surface itself would.
    return march(place + 0.5 * face, params.towards_light, 0.0, from, -1, params.low, params.high)
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
        hit = march(params.eye, direction, inside.x, first, axis, params.low, params.high);
    }
    imageStore(depth, texel, vec4(hit.found ? hit.t : -1.0));
    if (!hit.found) {
        imageStore(result, texel, params.background);
        return;
    }
    vec3 face = face_normal(hit, direction);
    // Where the ray comes in through a cut, there is a flat section.
    bool is_cut = hit.voxel == first && hit.t == inside.x && hit.axis >= 0 &&
                  is_set(hit.voxel + ivec3(face));
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
