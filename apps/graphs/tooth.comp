#version 460
// A tooth as a volume of densities, as computed tomography takes it: enamel around the crown, dentine,
// pulp inside, noise. Shells are distances to a body of a crown and two roots. It may be bent by a field
// of displacements that is known, for registration.
layout(local_size_x = 64) in;
#include "hash.glsl"
#include "invocation.glsl"

writeonly buffer Density { float values[]; } density; //! doc one a voxel, x fastest, from 0 to 1 but for noise

uniform Params {
    uvec3 size;  //! doc voxels along x, y and z
    float noise; //! range 0..1, default 0.08, doc standard deviation
    float bend;  //! range 0..20, default 0, unit voxels, doc how far the tooth is bent
    uint seed;   //! default 1, doc of the noise
} params;

float join(float a, float b, float width) {
    float part = clamp(0.5 + 0.5 * (b - a) / width, 0.0, 1.0);
    return mix(b, a, part) - width * part * (1.0 - part);
}

// Negative inside. The tooth stands along y, from its roots at -0.85 to its cusps at 0.75.
float body(vec3 p) {
    float cusps = 0.07 * cos(7.0 * p.x) * cos(7.0 * p.z);
    vec3 q = (p - vec3(0.0, 0.3, 0.0)) / vec3(0.52, 0.42 + cusps, 0.46);
    float crown = (pow(dot(q * q, q * q), 0.25) - 1.0) * 0.45;
    float roots = 1e9;
    for (int side = -1; side <= 1; side += 2) {
        vec3 low = vec3(0.3 * float(side), -0.85, 0.05 * float(side));
        vec3 high = vec3(0.2 * float(side), 0.2, 0.0);
        float along = clamp(dot(p - low, high - low) / dot(high - low, high - low), 0.0, 1.0);
        roots = min(roots, length(p - mix(low, high, along)) - mix(0.05, 0.24, along));
    }
    return join(crown, roots, 0.12);
}

float canal(vec3 p) {
    float nearest = length((p - vec3(0.0, 0.25, 0.0)) / vec3(1.0, 0.7, 1.0)) - 0.2;
    for (int side = -1; side <= 1; side += 2) {
        vec3 low = vec3(0.29 * float(side), -0.75, 0.05 * float(side));
        vec3 high = vec3(0.12 * float(side), 0.2, 0.0);
        float along = clamp(dot(p - low, high - low) / dot(high - low, high - low), 0.0, 1.0);
        nearest = join(nearest, length(p - mix(low, high, along)) - 0.045, 0.08);
    }
    return nearest;
}

void main() {
    uint index = invocation_index();
    uvec3 size = params.size;
    if (index >= size.x * size.y * size.z) return;
    vec3 voxel = vec3(index % size.x, index / size.x % size.y, index / (size.x * size.y));
    vec3 unit = 2.0 / vec3(size); // of a voxel
    vec3 p = (voxel + 0.5) * unit - 1.0;
    p += params.bend * unit *
         vec3(sin(2.5 * p.y + 0.5), 0.6 * cos(2.0 * p.x), 0.7 * sin(2.2 * p.y - 1.0));
    p.y = -p.y; // y goes down in pictures

    float outside = body(p);
    float edge = 0.75 * unit.x; // blur of the camera
    float thickness = 0.13 * smoothstep(-0.15, 0.2, p.y);
    float value = 0.62 * smoothstep(edge, -edge, outside);
    value = mix(value, 0.95, smoothstep(edge, -edge, outside) *
                                 smoothstep(-edge, edge, outside + thickness) *
                                 step(1e-3, thickness));
    value = mix(value, 0.25, smoothstep(edge, -edge, canal(p)));
    // Two uniform numbers make a normal one (Box and Muller, 1958).
    vec3 random = random_numbers(index, params.seed, 0u);
    density.values[index] =
        value + params.noise * sqrt(-2.0 * log(1.0 - random.x)) * cos(6.2831853 * random.y);
}
