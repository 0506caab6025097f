// Rays of a camera through the box of a volume.
#ifndef VIEW_RAYS
#define VIEW_RAYS

const uint kMaxPlanes = 6u;

struct ViewRays {
    vec3 eye;      // in the world
    vec3 forward;  // of unit length; a ray through the middle of the picture, and ...
    vec3 right;    // ... what is added to it, or to where it begins, at the right side ...
    vec3 down;     // ... and at the lower one
    uint parallel; // 1: all rays have one direction
    float near_plane;
    float far_plane;
    mat4 texels;   // from the world to texels, whose first corner is 0
    vec3 low;      // what is shown of the box, texels
    vec3 high;
    uint planes;   // that cut
    vec4 plane[kMaxPlanes]; // what has dot(xyz, place in the world) > w is cut away
    float stride;  // of samples, in the world
};

struct ViewRay {
    vec3 origin;    // in the world
    vec3 direction; // of unit length
};

ViewRay ray_through(ViewRays rays, vec2 clip) {
    vec3 beside = clip.x * rays.right + clip.y * rays.down;
    if (rays.parallel != 0u) return ViewRay(rays.eye + beside, rays.forward);
    return ViewRay(rays.eye, normalize(rays.forward + beside));
}

// Keeps of a span of the ray what lies below a bound: at + t * slope <= bound.
vec2 below(vec2 span, float at, float slope, float bound) {
    if (slope == 0.0) return at <= bound ? span : vec2(0.0, -1.0);
    float t = (bound - at) / slope;
    return slope > 0.0 ? vec2(span.x, min(span.y, t)) : vec2(max(span.x, t), span.y);
}

// Where the ray is in what is shown: x to y along it, empty where x >= y.
vec2 span_of(ViewRays rays, ViewRay ray) {
    vec3 origin = (rays.texels * vec4(ray.origin, 1.0)).xyz;
    vec3 direction = mat3(rays.texels) * ray.direction;
    vec2 span = vec2(rays.parallel != 0u ? -1e30 : 0.0, 1e30);
    for (int i = 0; i < 3; ++i) {
        span = below(span, origin[i], direction[i], rays.high[i]);
        span = below(span, -origin[i], -direction[i], -rays.low[i]);
    }
    for (uint i = 0u; i < rays.planes; ++i) {
        vec4 plane = rays.plane[i];
        span = below(span, dot(plane.xyz, ray.origin), dot(plane.xyz, ray.direction), plane.w);
    }
    return span;
}

float clip_depth(ViewRays rays, ViewRay ray, float t) {
    float z = dot(rays.forward, ray.direction) * t;
    float range = rays.far_plane - rays.near_plane;
    if (rays.parallel != 0u) return clamp((z - rays.near_plane) / range, 0.0, 1.0);
    return z > 0.0 ? clamp(rays.far_plane / range * (1.0 - rays.near_plane / z), 0.0, 1.0) : 0.0;
}

// The reverse of it.
float along_ray(ViewRays rays, ViewRay ray, float depth) {
    float range = rays.far_plane - rays.near_plane;
    float z = rays.parallel != 0u
                  ? rays.near_plane + depth * range
                  : rays.near_plane * rays.far_plane / (rays.far_plane - depth * range);
    return z / dot(rays.forward, ray.direction);
}

#endif
