// A furnished room as a distance field, metres: y is up, the floor is y = 0.
#ifndef MAPPING_ROOM
#define MAPPING_ROOM

float box_distance(vec3 p, vec3 half_size) {
    vec3 d = abs(p) - half_size;
    return length(max(d, 0.0)) + min(max(d.x, max(d.y, d.z)), 0.0);
}

// Distance and what is nearest: 0 walls, 1 table, 2 globe, 3 pillar, 4 cabinet, 5 chest, 6 ball. The ball is
// its centre and radius; none where that is 0.
vec2 room_distance(vec3 p, vec4 ball) {
    vec2 nearest = vec2(-box_distance(p - vec3(0.0, 1.25, 0.0), vec3(2.0, 1.25, 2.0)), 0.0);
    float table = box_distance(p - vec3(0.0, 0.37, 0.0), vec3(0.5, 0.37, 0.35));
    if (table < nearest.x) nearest = vec2(table, 1.0);
    float globe = length(p - vec3(0.15, 0.96, 0.05)) - 0.22;
    if (globe < nearest.x) nearest = vec2(globe, 2.0);
    float pillar = length(p.xz - vec2(-1.4, 1.2)) - 0.25;
    if (pillar < nearest.x) nearest = vec2(pillar, 3.0);
    float cabinet = box_distance(p - vec3(1.6, 0.6, -1.3), vec3(0.4, 0.6, 0.7));
    if (cabinet < nearest.x) nearest = vec2(cabinet, 4.0);
    float chest = box_distance(p - vec3(0.9, 0.2, 1.4), vec3(0.35, 0.2, 0.3));
    if (chest < nearest.x) nearest = vec2(chest, 5.0);
    if (ball.w > 0.0) {
        float away = length(p - ball.xyz) - ball.w;
        if (away < nearest.x) nearest = vec2(away, 6.0);
    }
    return nearest;
}

vec3 room_normal(vec3 p, vec4 ball) {
    const float kStep = 1e-3;
    vec2 e = vec2(kStep, -kStep);
    return normalize(e.xyy * room_distance(p + e.xyy, ball).x + e.yyx * room_distance(p + e.yyx, ball).x +
                     e.yxy * room_distance(p + e.yxy, ball).x + e.xxx * room_distance(p + e.xxx, ball).x);
}

// Smooth patterns, lit by a lamp below the ceiling: the same from everywhere, as photometric odometry has it.
vec3 room_color(vec3 p, vec3 normal, float what) {
    const vec3 kColors[7] = vec3[7](vec3(0.75, 0.72, 0.66), vec3(0.62, 0.42, 0.24), vec3(0.25, 0.5, 0.75),
                                    vec3(0.7, 0.66, 0.7), vec3(0.55, 0.3, 0.22), vec3(0.3, 0.55, 0.32),
                                    vec3(0.9, 0.25, 0.15));
    vec3 waves = sin(p * vec3(7.0, 6.0, 8.0) + 2.0 * sin(p.yzx * vec3(3.1, 2.3, 2.7)));
    float pattern = 0.78 + 0.22 * (waves.x * waves.y + waves.z * 0.6);
    vec3 to_lamp = vec3(0.2, 2.3, -0.1) - p;
    float light = 0.45 + 0.65 * max(dot(normal, normalize(to_lamp)), 0.0) / (1.0 + 0.1 * dot(to_lamp, to_lamp));
    return clamp(kColors[int(what)] * pattern * light * 1.2, 0.0, 1.0);
}

#endif
