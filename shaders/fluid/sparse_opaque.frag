#version 460
//! vertex fluid/step_draw
// Brings the depth of pixels through which next to nothing shines to the near plane, so that what is
// drawn after it is tested away there.

uniform Params { float opaque; } params;

uniform sampler2D drawn;

void main() {
    if (texelFetch(drawn, ivec2(gl_FragCoord.xy), 0).a > params.opaque) discard;
    gl_FragDepth = 0.0;
}
