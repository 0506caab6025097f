#version 460
// The curtain of the hall, which is the scene's last draw, in folds that waves run down along.

layout(local_size_x = 64) in;

#include "invocation.glsl"
#include "scene/scene.glsl"

readonly buffer Draws { SceneDraw elements[]; } draws; //! doc of the scene
buffer Vertices { Vertex elements[]; } vertices;       //! doc of the scene

uniform Params {
    float time; //! unit seconds, default 0, doc at which it is seen
    float wind; //! range 0..4, default 1, doc how far the waves reach
} params;

const float kFolds = 17.0; // radians a metre along x
const float kStep = 1e-3;

// `hung` is a place on the curtain as it hangs flat: y is below 0, the top's.
vec3 point(vec2 hung) {
    float below = -hung.y;
    float drift = 1.3 * below - 2.2 * params.time;
    float fold = (0.045 + 0.012 * below) * sin(kFolds * hung.x + 0.5 * params.wind * sin(drift));
    float sway = 0.022 * params.wind * below * sin(1.9 * hung.x + drift);
    return vec3(hung, fold + sway);
}

void main() {
    SceneDraw curtain = draws.elements[draws.elements.length() - 1];
    uint i = invocation_index();
    if (i < uint(curtain.vertex_offset) || i >= vertices.elements.length()) return;
    vec2 hung = vertices.elements[i].position.xy;
    vec3 along = point(hung + vec2(kStep, 0.0)) - point(hung - vec2(kStep, 0.0));
    vec3 up = point(hung + vec2(0.0, kStep)) - point(hung - vec2(0.0, kStep));
    vertices.elements[i].position = point(hung);
    vertices.elements[i].normal = normalize(cross(along, up));
    vertices.elements[i].tangent = vec4(normalize(along), 1.0);
}
