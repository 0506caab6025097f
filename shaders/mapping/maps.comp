#version 460
// Normals, depths and brightness of a frame at three levels. Depths are smoothed within surfaces first
// (R. Newcombe et al., "KinectFusion", ISMAR 2011, section 3.2).
#include "camera.glsl"
#include "pyramid.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D depth;
uniform sampler2D color;
writeonly uniform image2D geometry_0; // normal towards the camera, depth; 0 where there is none
writeonly uniform image2D geometry_1;
writeonly uniform image2D geometry_2;
writeonly uniform image2D grey_0;
writeonly uniform image2D grey_1;
writeonly uniform image2D grey_2;

uniform Params {
    vec4 intrinsics;
    ivec2 size;
    vec2 range;   // of depths, metres
    float edge;   // metres
    float smooth_by; // standard deviations of the noise; 0: not at all
} params;

const int kRadius = 2; // of smoothing
const int kRaw = 16 + 2 + 2 * kRadius;
const int kSmooth = 16 + 2;
shared float raw[kRaw * kRaw];
shared float smoothed[kSmooth * kSmooth];

float depth_at(ivec2 texel) {
    if (any(lessThan(texel, ivec2(0))) || any(greaterThanEqual(texel, params.size))) return 0.0;
    float z = texelFetch(depth, texel, 0).r;
    return z >= params.range.x && z <= params.range.y ? z : 0.0; // not for NaN
}

// Bilateral: pixels count by how near they are and how alike their depths. Those opposite each other have
// one weight, by how far their mean is from the pixel: the slant of a surface has no effect, and what is
// curved more than the noise is kept. Inverse depths are averaged, which are linear in a plane's picture.
float smooth_depth(ivec2 place) {
    int middle = (place.y + kRadius) * kRaw + place.x + kRadius;
    float z = raw[middle];
    if (z <= 0.0 || params.smooth_by <= 0.0) return z;
    float noise = depth_noise(z);
    // Normals of pixels that are more than twice as wide as the noise need less, and shape differs more there.
    float sigma = params.smooth_by * noise * min(2.0 * noise * params.intrinsics.x / z, 1.0);
    float step = largest_step(params.edge, z, params.intrinsics.x);
    vec2 sum = vec2(1.0 / z, 1.0);
    const int kPairs = 2 * kRadius * (kRadius + 1);
    for (int i = 1; i <= kPairs; ++i) {
        int y = (i + kRadius) / (2 * kRadius + 1);
        int x = i - y * (2 * kRadius + 1);
        vec2 others = vec2(raw[middle + y * kRaw + x], raw[middle - y * kRaw - x]);
        if (any(lessThanEqual(others, vec2(0.0)))) continue;
        if (any(greaterThanEqual(abs(others - z), vec2(float(max(abs(x), y)) * step)))) continue;
        float inverse = 0.5 * (1.0 / others.x + 1.0 / others.y);
        float apart = (1.0 / inverse - z) / sigma;
        if (abs(apart) >= 3.0) continue;
        float weight = 2.0 * exp(-0.5 * apart * apart - 0.22 * float(x * x + y * y));
        sum += weight * vec2(inverse, 1.0);
    }
    return sum.y / sum.x;
}

// The difference of two neighbours of a point, or of the point and the one that belongs to its surface.
vec3 difference(vec3 before, vec3 at, vec3 after, float step) {
    bool has_before = before.z > 0.0 && abs(before.z - at.z) < step;
    bool has_after = after.z > 0.0 && abs(after.z - at.z) < step;
    if (has_before && has_after) return after - before;
    return has_after ? after - at : has_before ? at - before : vec3(0.0);
}

vec3 point_of(ivec2 texel, ivec2 place) {
    return ray_of(params.intrinsics, vec2(texel)) * smoothed[place.y * kSmooth + place.x];
}

vec4 geometry_at(ivec2 texel, ivec2 local) {
    ivec2 place = local + 1;
    vec3 at = point_of(texel, place);
    if (at.z <= 0.0) return vec4(0.0);
    const ivec2 kX = ivec2(1, 0);
    const ivec2 kY = ivec2(0, 1);
    float step = largest_step(params.edge, at.z, params.intrinsics.x);
    vec3 right = difference(point_of(texel - kX, place - kX), at, point_of(texel + kX, place + kX), step);
    vec3 down = difference(point_of(texel - kY, place - kY), at, point_of(texel + kY, place + kY), step);
    vec3 normal = cross(down, right);
    float square = dot(normal, normal);
    if (square < 1e-20) return vec4(0.0, 0.0, 0.0, at.z);
    normal *= inversesqrt(square);
    return vec4(dot(normal, at) > 0.0 ? -normal : normal, at.z);
}

void main() {
    int lane = int(gl_LocalInvocationIndex);
    ivec2 first = ivec2(gl_WorkGroupID.xy) * 16;
    ivec2 local = ivec2(gl_LocalInvocationID.xy);
    for (int i = lane; i < kRaw * kRaw; i += 256)
        raw[i] = depth_at(first + ivec2(i % kRaw, i / kRaw) - (kRadius + 1));
    barrier();
    for (int i = lane; i < kSmooth * kSmooth; i += 256)
        smoothed[i] = smooth_depth(ivec2(i % kSmooth, i / kSmooth));
    barrier();

    ivec2 texel = first + local;
    bool inside = all(lessThan(texel, params.size));
    vec4 geometry = vec4(0.0);
    float grey = -1.0;
    if (inside) {
        geometry = geometry_at(texel, local);
        grey = dot(texelFetch(color, texel, 0).rgb, vec3(0.299, 0.587, 0.114));
        grey = is_finite(grey) ? clamp(grey, 0.0, 1.0) : -1.0;
        imageStore(geometry_0, texel, geometry);
        imageStore(grey_0, texel, vec4(grey));
    }
    put_into_tile(uvec2(local), geometry, grey);
    barrier();
    uvec2 place = uvec2(lane % 8, lane / 8);
    ivec2 coarse = first / 2 + ivec2(place);
    if (lane < 64) {
        mean_of_tile(place, 1u, params.edge, params.intrinsics.x, geometry, grey);
        if (all(lessThan(coarse, params.size / 2))) {
            imageStore(geometry_1, coarse, geometry);
            imageStore(grey_1, coarse, vec4(grey));
        }
    }
    barrier();
    if (lane < 64) put_into_tile(place * 2u, geometry, grey);
    barrier();
    place = uvec2(lane % 4, lane / 4);
    coarse = first / 4 + ivec2(place);
    if (lane < 16 && all(lessThan(coarse, params.size / 4))) {
        mean_of_tile(place, 2u, params.edge, params.intrinsics.x, geometry, grey);
        imageStore(geometry_2, coarse, geometry);
        imageStore(grey_2, coarse, vec4(grey));
    }
}
