#version 460
// What a scanner sees of a packed bag: boxes in one another, a ring, a shell of gyroid and a ball of fog.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(r32f) writeonly uniform image3D density; //! doc from 0 to 1

uniform Params {
    float wall; //! range 0.01..0.2, default 0.05, doc thickness of walls; the volume is 2 wide
} params;

float box(vec3 at, vec3 half_size) {
    vec3 beyond = abs(at) - half_size;
    return length(max(beyond, vec3(0.0))) + min(max(beyond.x, max(beyond.y, beyond.z)), 0.0);
}

// A hollow box, whose lid is open.
float open_box(vec3 at, vec3 half_size) {
    float wall = abs(box(at, half_size)) - 0.5 * params.wall;
    return max(wall, at.y - half_size.y + params.wall);
}

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    ivec3 size = imageSize(density);
    if (any(greaterThanEqual(texel, size))) return;
    vec3 at = (vec3(texel) + 0.5) / vec3(size) * 2.0 - 1.0;
    float soft = 1.5 / float(size.x);
    float boxes = open_box(at - vec3(0.0, -0.15, 0.0), vec3(0.85, 0.65, 0.8));
    boxes = min(boxes, open_box(at - vec3(-0.4, -0.45, 0.35), vec3(0.3, 0.3, 0.3)));
    boxes = min(boxes, open_box(at - vec3(-0.4, -0.5, 0.35), vec3(0.16, 0.22, 0.16)));
    vec3 ring_at = at - vec3(0.4, -0.25, 0.3);
    float ring = length(vec2(length(ring_at.xz) - 0.27, ring_at.y)) - 0.1;
    vec3 gyroid_at = at - vec3(0.38, -0.4, -0.4);
    vec3 phase = 16.0 * gyroid_at;
    float gyroid = abs(dot(sin(phase), cos(phase.yzx))) / 16.0 - 0.4 * params.wall;
    gyroid = max(gyroid, length(gyroid_at) - 0.36);
    float fog = 1.0 - smoothstep(0.1, 0.36, distance(at, vec3(-0.4, -0.4, -0.4)));
    float number = 0.3 * fog;
    number = mix(number, 0.9, 1.0 - smoothstep(-soft, soft, gyroid));
    number = mix(number, 0.7, 1.0 - smoothstep(-soft, soft, ring));
    number = mix(number, 0.5, 1.0 - smoothstep(-soft, soft, boxes));
    imageStore(density, texel, vec4(number));
}
