#version 460
// Squared distances before particles are blended: those of objects are 0.
//! vertex distance/whole_field

uniform usampler2D seed;

uniform Params {
    float most; // of a texel without an object near enough
} params;

layout(location = 0) out vec4 squared;

void main() {
    bool object = texelFetch(seed, ivec2(gl_FragCoord.xy), 0).r != 0u;
    squared = vec4(object ? 0.0 : params.most);
}
