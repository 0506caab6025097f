#version 460
// How dense clouds are: noise of several sizes, less towards the bottom and the top. Most of the volume is empty.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;

layout(r32f) writeonly uniform image3D density; //! doc the rank's part, with a halo of two texels

uniform Params {
    ivec3 first;  //! doc first cell of the part
    ivec3 count;  //! doc cells of the part
    ivec3 cells;  //! doc size of the whole volume
    float cover;  //! range 0..1, default 0.5, doc share of the volume that has clouds, about
} params;

uint hash(uvec3 at) {
    uint x = at.x + 1619u * at.y + 31337u * at.z;
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

float corner(uvec3 at) {
    return float(hash(at) >> 8) / 16777216.0;
}

// Smooth between random numbers at whole places.
float noise(vec3 place) {
    uvec3 low = uvec3(place);
    vec3 t = place - vec3(low);
    t = t * t * (3.0 - 2.0 * t);
    vec4 rows;
    for (uint i = 0u; i < 4u; ++i) {
        uvec3 at = low + uvec3(0u, i & 1u, i >> 1);
        rows[i] = mix(corner(at), corner(at + uvec3(1u, 0u, 0u)), t.x);
    }
    return mix(mix(rows.x, rows.y, t.y), mix(rows.z, rows.w, t.y), t.z);
}

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel, imageSize(density)))) return;
    ivec3 own = texel - 2;
    float value = 0.0; // the halo is exchanged
    if (all(greaterThanEqual(own, ivec3(0))) && all(lessThan(own, params.count))) {
        vec3 place = vec3(params.first + own);
        float share = 0.5;
        for (float size = 32.0; size > 2.0; size *= 0.5, share *= 0.5)
            value += share * noise(place / size + 7.0);
        vec3 from_middle = abs(2.0 * place / vec3(params.cells - 1) - 1.0);
        float edge = max(max(from_middle.x, from_middle.z), from_middle.y);
        value = 4.0 * (value - 0.64 + 0.34 * params.cover) - smoothstep(0.55, 1.0, edge);
    }
    imageStore(density, texel, vec4(clamp(value, 0.0, 1.0), 0.0, 0.0, 1.0));
}
