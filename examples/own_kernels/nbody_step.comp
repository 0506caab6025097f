#version 460
// One step of semi-implicit Euler: all bodies attract each other.
layout(local_size_x = 64) in;
#include "body.glsl"
#include "invocation.glsl"

readonly buffer Before { Body list[]; } before;
writeonly buffer After { Body list[]; } after;

uniform Params {
    float dt;        //! range 0..0.1, default 0.005, unit seconds
    float softening; //! range 0.001..1, default 0.03, doc keeps close bodies from flying off
} params;

void main() {
    uint i = invocation_index();
    uint count = uint(before.list.length());
    if (i >= count) return;
    Body one = before.list[i];
    vec3 pull = vec3(0);
    for (uint j = 0u; j < count; ++j) {
        vec4 other = before.list[j].place;
        vec3 to = other.xyz - one.place.xyz;
        float squared = dot(to, to) + params.softening * params.softening;
        pull += other.w * to * inversesqrt(squared * squared * squared);
    }
    one.speed.xyz += params.dt * pull;
    one.place.xyz += params.dt * one.speed.xyz;
    after.list[i] = one;
}
