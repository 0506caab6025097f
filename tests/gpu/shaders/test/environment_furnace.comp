#version 460
// What surfaces reflect of even light of radiance 1: a metal of f0 = 1 and a white dielectric, by
// N.V along x and roughness along y.
layout(local_size_x = 8, local_size_y = 8) in;

#include "../../../../shaders/include/scene/environment.glsl"

uniform sampler2D dfg;
writeonly uniform image2D reflected;

void main() {
    const ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    const ivec2 size = imageSize(reflected);
    if (any(greaterThanEqual(p, size))) return;
    const vec2 place = vec2(p) / vec2(size - 1);
    const vec2 table = environment_dfg(dfg, place.x, place.y);
    const EnvironmentWeights metal = environment_weights(table, vec3(1.0), vec3(0.0));
    const EnvironmentWeights white = environment_weights(table, vec3(0.04), vec3(1.0));
    imageStore(reflected, p, vec4(metal.specular.r + metal.diffuse.r, //
                                  white.specular.r + white.diffuse.r, table));
}
