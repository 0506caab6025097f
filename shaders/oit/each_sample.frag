#version 460
// Gives each sample of a picture its colour. What takes a loop has been done by oit/resolve_each.

uniform sampler2DArray samples;

layout(location = 0) out vec4 result;

void main() {
    result = texelFetch(samples, ivec3(gl_FragCoord.xy, gl_SampleID), 0);
}
