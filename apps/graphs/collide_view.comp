#version 460
// Triangles that meet others are bright, the rest is clay.
layout(local_size_x = 8, local_size_y = 8) in;

uniform usampler2D triangles; //! doc number of the nearest triangle of each pixel
uniform sampler2D normals;    //! doc its normal
readonly buffer Touched { uint values[]; } touched; //! doc how many each triangle meets
layout(rgba16f) writeonly uniform image2D result;   //! doc linear colours

uniform Params {
    uint first_of_second; //! doc the first triangle of the second mesh
} params;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(result);
    if (any(greaterThanEqual(texel, size))) return;
    uint triangle = texelFetch(triangles, texel, 0).r;
    float up = 1.0 - float(texel.y) / float(size.y);
    vec3 color = mix(vec3(0.012, 0.014, 0.02), vec3(0.05, 0.06, 0.085), up);
    if (triangle != 0xffffffffu) {
        vec3 normal = texelFetch(normals, texel, 0).xyz;
        vec3 clay = triangle < params.first_of_second ? vec3(0.42, 0.24, 0.14) : vec3(0.14, 0.26, 0.4);
        float sun = max(dot(normal, normalize(vec3(0.5, 0.8, 0.6))), 0.0);
        float sky = 0.5 + 0.5 * normal.y;
        color = clay * (1.1 * sun + 0.35 * sky + 0.05);
        // The more it meets the hotter.
        uint met = triangle < uint(touched.values.length()) ? touched.values[triangle] : 0u;
        if (met > 0u) color = mix(vec3(2.2, 0.5, 0.03), vec3(3.0, 2.4, 1.2), clamp(float(met) / 8.0, 0.0, 1.0));
    }
    imageStore(result, texel, vec4(color, 1.0));
}
