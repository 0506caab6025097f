// Rays through a grid, voxel by voxel (Amanatides and Woo 1987), and over 32 at a time where a word
// is empty. `dims`: voxels of the grid along each axis.
#include "voxel/grid.glsl"

readonly buffer Words { uint values[]; } words;

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

uint word_at(uvec3 dims, ivec3 voxel) {
    return words.values[row_of(dims, uint(voxel.x), uint(voxel.y)) + uint(voxel.z >> 5)];
}

bool is_set(uvec3 dims, ivec3 voxel) {
    if (any(lessThan(voxel, ivec3(0))) || any(greaterThanEqual(voxel, ivec3(dims))))
        return false;
    return (word_at(dims, voxel) >> uint(voxel.z & 31) & 1u) != 0u;
}

// The first set voxel from `voxel` on, which the ray is in at `t`, among those from low to high - 1.
VoxelHit march(uvec3 dims, vec3 origin, vec3 direction, float t, ivec3 voxel, int axis,
               ivec3 low, ivec3 high) {
    ivec3 forward = ivec3(greaterThan(direction, vec3(0.0)));
    // A step goes to another voxel, so there are no more of them than this.
    int most = high.x - low.x + high.y - low.y + high.z - low.z;
    for (int i = 0; i <= most; ++i) {
        uint word = word_at(dims, voxel);
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
