#version 460
// Balls that go around on paths of their own, up and down as in a lava lamp.
layout(local_size_x = 64) in;

writeonly buffer Balls { vec4 values[]; } balls; //! doc middle and reach

uniform Params {
    float time;  //! doc seconds
    float reach; //! range 0.01..10, default 0.6, doc of the largest sphere
    float lively; //! default 1, doc how fast they go
} params;

float chance(uint seed) {
    seed = (seed ^ 61u) ^ seed >> 16;
    seed *= 9u;
    seed ^= seed >> 4;
    seed *= 0x27d4eb2du;
    seed ^= seed >> 15;
    return float(seed >> 8) / 16777216.0;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= uint(balls.values.length())) return;
    float turn = 6.2831853 * chance(3u * i);
    float rate = params.lively * (0.25 + 0.5 * chance(3u * i + 1u));
    float size = chance(3u * i + 2u);
    float angle = turn + params.time * rate * (i % 2u == 0u ? 1.0 : -1.0);
    float away = 0.2 + 0.75 * chance(7u * i + 5u);
    float height = 0.75 * sin(params.time * rate * 0.8 + 6.2831853 * chance(5u * i + 1u));
    vec3 middle = vec3(away * cos(angle), height, away * sin(angle));
    balls.values[i] = vec4(middle, params.reach * (0.5 + 0.5 * size));
}
