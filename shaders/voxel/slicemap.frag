#version 460
//! vertex voxel/triangle
// A slice map: the bit of the voxel in which a triangle passes the middle of a column, in one of the
// words that the attachments hold of it. Attachments are merged by OR.

uniform Params {
    uvec3 dims;
    uint vertices;
} params;

layout(constant_id = 2) const uint kFirstWord = 0u; // of a column, that the attachments hold

layout(location = 0) noperspective in float depth;
layout(location = 1) flat in ivec2 depth_range;

layout(location = 0) out uvec4 slices[4];

// The bit as a word among four.
uvec4 four_words(uint first, uint voxel) {
    uvec4 words = first + uvec4(0u, 1u, 2u, 3u);
    return mix(uvec4(0u), uvec4(1u << (voxel & 31u)), equal(words, uvec4(voxel >> 5u)));
}

void main() {
    // As in raster_surface.frag.
    int away = clamp(int(floor(depth)), depth_range.x, depth_range.y);
    if (away < 0 || away >= int(params.dims.z)) discard;
    for (uint i = 0u; i < 4u; ++i) slices[i] = four_words(kFirstWord + 4u * i, uint(away));
}
