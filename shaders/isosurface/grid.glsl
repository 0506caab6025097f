// The points that a surface is looked for between, and the field there. A kernel that includes this
// is compiled for each kind of FIELD: 0 a volume, 1 an array of floats, 2 voxels, 3 bricks of a sparse
// store.
#ifndef ISOSURFACE_GRID
#define ISOSURFACE_GRID

uniform Params {
    ivec3 dims;    // texels of the field
    int shell;     // 1: a layer of points that are outside lies around them
    vec3 origin;   // where the first texel is
    float iso;
    vec3 spacing;  // from one texel to the next
    float upwards; // 1: inside is above the iso value; -1: below
    uint vertex_room;
    uint triangle_room;
    uint block_room;
    uint cell_room;
} params;

#if FIELD == 0
#include "volume_texels.glsl"

float stored(ivec3 texel) {
    return fetch(texel);
}
#else
// By the bits, for compilers may take isnan for false.
bool is_number(float value) {
    return (floatBitsToUint(value) & 0x7fffffffu) <= 0x7f800000u;
}
#if FIELD == 1 || FIELD == 3
layout(constant_id = 11) const uint kNumber = 0u;   // 0 to 3: a channel; 4: length of the vector
layout(constant_id = 12) const uint kChannels = 1u; // numbers of each element

readonly buffer FieldValues { float numbers[]; } field_values;

#if FIELD == 3
layout(constant_id = 22) const int kSlotX = 8; // cells of a brick
layout(constant_id = 23) const int kSlotY = 8;
layout(constant_id = 24) const int kSlotZ = 8;
const ivec3 kSlot = ivec3(kSlotX, kSlotY, kSlotZ);
const uint kNoElement = 0xffffffffu;

readonly buffer BrickBases { uint elements[]; } brick_bases; // by brick, x fastest: its first cell

// kNoElement where the brick has no memory.
uint base_of_brick(ivec3 brick) {
    ivec3 bricks = (params.dims + kSlot - 1) / kSlot;
    return brick_bases.elements[(brick.z * bricks.y + brick.y) * bricks.x + brick.x];
}
#endif

float stored(ivec3 texel) {
#if FIELD == 3
    ivec3 brick = texel / kSlot;
    ivec3 local = texel - brick * kSlot;
    uint base = base_of_brick(brick);
    if (base == kNoElement) return uintBitsToFloat(0x7fc00000u);
    uint first = kChannels * (base + uint((local.z * kSlotY + local.y) * kSlotX + local.x));
#else
    uvec3 at = uvec3(texel);
    uvec3 dims = uvec3(params.dims);
    uint first = kChannels * ((at.z * dims.y + at.y) * dims.x + at.x);
#endif
    if (kNumber < 4u) return field_values.numbers[first + kNumber];
    precise float squares = 0.0;
    for (uint k = 0u; k < kChannels; ++k)
        squares += field_values.numbers[first + k] * field_values.numbers[first + k];
    return sqrt(squares);
}
#else
#include "voxel/grid.glsl"

readonly buffer VoxelWords { uint words[]; } voxel_words;
readonly buffer VoxelFrame { vec4 rows[]; } voxel_frame; // corner; voxels a unit; side of a voxel

float stored(ivec3 texel) {
    uint row = row_of(uvec3(params.dims), uint(texel.x), uint(texel.y));
    return float(voxel_words.words[row + (uint(texel.z) >> 5)] >> (uint(texel.z) & 31u) & 1u);
}
#endif
#endif

float no_number() {
    return uintBitsToFloat(0x7fc00000u);
}

const float kHighest = 1e38; // differences of heights stay finite

ivec3 lattice() {
    return params.dims + 2 * params.shell;
}

// How far the field is above the iso value on the inner side: above 0 is inside. Without a branch,
// so that a kernel has many texels on their way at a time.
float height_of(ivec3 texel) {
    float value = stored(texel);
    precise float height = params.upwards * (value - params.iso);
    height = clamp(height, -kHighest, kHighest);
    return is_number(value) ? height : value;
}

// At a point of the lattice. Points of the shell mirror the texel beside them, so that the surface
// lies half a step outside the last texels.
float field_at(ivec3 point) {
    ivec3 texel = point - params.shell;
    ivec3 nearest = clamp(texel, ivec3(0), params.dims - 1);
    float height = height_of(nearest);
    return texel != nearest && height > 0.0 ? -height : height;
}

// From one texel to the next.
vec3 texel_step() {
#if FIELD == 2
    return voxel_frame.rows[2].xyz;
#else
    return params.spacing;
#endif
}

vec3 place_of(vec3 point) {
#if FIELD == 2
    vec3 origin = voxel_frame.rows[0].xyz + 0.5 * texel_step();
#else
    vec3 origin = params.origin;
#endif
    precise vec3 place = origin + texel_step() * (point - float(params.shell));
    return place;
}

ivec3 unit_step(uint axis) {
    return ivec3(equal(uvec3(axis), uvec3(0u, 1u, 2u)));
}

// Corner c of a cell: bit 0 is x, bit 1 y, bit 2 z.
ivec3 corner_step(uint corner) {
    return ivec3(corner & 1u, corner >> 1 & 1u, corner >> 2);
}

// Edge 4 * axis + j of a cell begins at the j-th of the corners without the axis's bit.
uint edge_corner(uint edge) {
    uint axis = edge >> 2;
    uint low = edge & (1u << axis) - 1u & 3u;
    return low | (edge & 3u) - low << 1;
}

uint corner_edge(uint axis, uint corner) {
    uint low = corner & (1u << axis) - 1u;
    return axis << 2 | low | corner >> axis + 1u << axis;
}

ivec3 nearest_texel(ivec3 point) {
    return clamp(point - params.shell, ivec3(0), params.dims - 1);
}

// Of length 1, or `otherwise` where it has no direction.
vec3 unit_or(vec3 vector, vec3 otherwise) {
    float longest = max(max(abs(vector.x), abs(vector.y)), abs(vector.z));
    if (!(longest > 0.0) || longest > 3e38) return otherwise;
    return normalize(vector / longest);
}

struct SurfacePoint {
    vec3 place;
    vec3 normal; // outwards, of length 1
};

#endif
