#version 460
//! variants DEEP=0,1
// Heights or signed distances of the ground, from a picture or a volume, as fields have them: a quad of the numbers
// of points along the axes, then the numbers packed into quads.

layout(local_size_x = 256) in;

#include "invocation.glsl"

struct GroundStatus {
    uint not_finite;
    uint cut;
};

#if DEEP
uniform sampler3D source;
#else
uniform sampler2D source;
#endif
writeonly buffer Geometry { vec4 values[]; } geometry;
buffer Status { GroundStatus elements[]; } status;

uniform Params {
    uint first; // quad
    float scale; // metres in one unit of the source
    float spacing; // metres between points of a volume
    float most; // metres: heights stay below
} params;

float value_at(uint i, uvec3 points) {
#if DEEP
    ivec3 texel = ivec3(i % points.x, i / points.x % points.y, i / (points.x * points.y));
#else
    ivec2 texel = ivec2(i % points.x, i / points.x);
#endif
    float value = texelFetch(source, texel, 0).x * params.scale;
    if (isnan(value) || isinf(value)) {
        atomicAdd(status.elements[0].not_finite, 1u);
#if DEEP
        return params.spacing * float(points.x + points.y + points.z); // outside
#else
        return 0.0;
#endif
    }
    if (abs(value) > params.most) atomicAdd(status.elements[0].cut, 1u);
    return clamp(value, -params.most, params.most);
}

void main() {
    uint i = invocation_index();
#if DEEP
    uvec3 points = uvec3(textureSize(source, 0));
    uint header = floatBitsToUint(params.spacing);
#else
    uvec3 points = uvec3(textureSize(source, 0), 1u);
    uint header = 0u;
#endif
    uint count = points.x * points.y * points.z;
    if (i > (count + 3u) / 4u) return;
    if (i == 0u) {
#if DEEP
        geometry.values[params.first] = uintBitsToFloat(uvec4(points, header));
#else
        geometry.values[params.first] = uintBitsToFloat(uvec4(points.xy, 0u, header));
#endif
        return;
    }
    vec4 quad = vec4(0.0);
    for (uint k = 0u; k < 4u; ++k) {
        uint at = 4u * (i - 1u) + k;
        if (at < count) quad[k] = value_at(at, points);
    }
    geometry.values[params.first + i] = quad;
}
