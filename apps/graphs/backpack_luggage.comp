#version 460
// A scan of a packed bag: boxes in one another, a ring, a shell of gyroid and a sphere of fog; or
// a scan, where there is one of more than a texel.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
uniform sampler3D scan; //! doc instead of the bag, z upwards; one texel stands for none
layout(r32f) writeonly uniform image3D density; //! doc from 0 to 1

uniform Params {
    float wall; //! range 0.01..0.2, default 0.05, doc thickness of walls; the volume is 2 wide
    float low;     //! default 0, doc number of the scan that becomes 0
    float high;    //! default 1, doc number that becomes 1
    vec3 spacing;  //! default 1, doc of the scan's texels
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

float scan_at(vec3 at) {
    vec3 size = vec3(textureSize(scan, 0));
    vec3 extent = size * params.spacing;
    float widest = max(extent.x, max(extent.y, extent.z));
    vec3 place = 0.5 * vec3(-at.x, at.z, at.y) * widest / params.spacing + 0.5 * size - 0.5;
    ivec3 low = ivec3(floor(place));
    vec3 share = place - vec3(low);
    float sum = 0.0;
    for (int i = 0; i < 8; ++i) {
        ivec3 corner = ivec3(i & 1, i >> 1 & 1, i >> 2);
        vec3 part = mix(1.0 - share, share, vec3(corner));
        ivec3 texel = low + corner;
        bool inside = all(greaterThanEqual(texel, ivec3(0))) && all(lessThan(texel, ivec3(size)));
        float number = inside ? texelFetch(scan, texel, 0).r : params.low;
        sum += part.x * part.y * part.z * number;
    }
    return clamp((sum - params.low) / (params.high - params.low), 0.0, 1.0);
}

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    ivec3 size = imageSize(density);
    if (any(greaterThanEqual(texel, size))) return;
    vec3 at = (vec3(texel) + 0.5) / vec3(size) * 2.0 - 1.0;
    if (textureSize(scan, 0).x > 1) {
        imageStore(density, texel, vec4(scan_at(at)));
        return;
    }
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
