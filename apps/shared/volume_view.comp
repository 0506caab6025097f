// A volume as rays see it that come through its box; texels are shown as they are.
layout(local_size_x = 8, local_size_y = 8) in;

uniform sampler3D source;                         //! doc the volume
layout(rgba16f) writeonly uniform image2D result; //! doc the picture, linear light

uniform Params {
    vec3 box;        //! doc edges of the volume in the world, the longest 1
    float low;       //! doc the value that is empty
    float high;      //! doc the value that is white and dense
    float density;   //! range 0..10000, default 12, doc extinction of the highest value along the longest edge
    float azimuth;   //! unit degrees, doc of the camera
    float elevation; //! range -89..89, unit degrees, doc of the camera
    float zoom;      //! range 0.05..20, default 1, doc 1 fits the box into the picture
    uint up;         //! range 1..2, default 1, doc the axis that is up, 1: y, 2: z
    uint projection; //! range 0..1, doc 0: mist that absorbs and glows, 1: the highest value of each ray
} params;

const float kHalfFov = radians(17.5);
const float kBackground = 0.02;
const float kMaxSteps = 1024.0;

/// 0 to 1; NaN is empty.
float level_at(vec3 place) {
    const ivec3 size = textureSize(source, 0);
    const ivec3 texel = clamp(ivec3(place * vec3(size)), ivec3(0), size - 1);
    const float value = float(texelFetch(source, texel, 0).r);
    return isnan(value) ? 0.0 : clamp((value - params.low) / (params.high - params.low), 0.0, 1.0);
}

void main() {
    const ivec2 size = imageSize(result);
    const ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, size))) return;

    const float azimuth = radians(params.azimuth), elevation = radians(params.elevation);
    const vec3 turned = vec3(sin(azimuth) * cos(elevation), sin(elevation),
                             cos(azimuth) * cos(elevation));
    const bool z_up = params.up == 2;
    const vec3 back = z_up ? vec3(turned.x, -turned.z, turned.y) : turned;
    const vec3 right = normalize(cross(z_up ? vec3(0, 0, 1) : vec3(0, 1, 0), back));
    const vec3 above = cross(back, right);
    const vec3 eye = back * 0.5 * length(params.box) / (sin(kHalfFov) * params.zoom);
    const vec2 place = (2.0 * (vec2(pixel) + 0.5) - vec2(size)) / float(min(size.x, size.y));
    const vec3 ray = normalize(tan(kHalfFov) * (place.x * right - place.y * above) - back);

    // Where the ray is in the box; a ray along a face divides by a little, not by zero.
    const vec3 slope = mix(ray, vec3(1e-8), lessThan(abs(ray), vec3(1e-8)));
    const vec3 one = (-0.5 * params.box - eye) / slope, other = (0.5 * params.box - eye) / slope;
    const vec3 enters = min(one, other), leaves = max(one, other);
    const float begin = max(max(enters.x, enters.y), max(enters.z, 0.0));
    const float end = min(leaves.x, min(leaves.y, leaves.z));
    if (begin >= end) {
        imageStore(result, pixel, vec4(vec3(kBackground), 1.0));
        return;
    }
    const ivec3 texels = textureSize(source, 0);
    const float finest = float(max(texels.x, max(texels.y, texels.z)));
    const float steps = clamp(ceil((end - begin) * 2.0 * finest), 1.0, kMaxSteps);
    const float stride = (end - begin) / steps;
    float light = 0.0, passes = 1.0, highest = 0.0;
    for (float i = 0.5; i < steps; i += 1.0) {
        const vec3 at = eye + (begin + i * stride) * ray;
        const float level = level_at(at / params.box + 0.5);
        const float opacity = 1.0 - exp(-params.density * level * stride);
        light += passes * opacity * level;
        passes *= 1.0 - opacity;
        highest = max(highest, level);
    }
    const float mist = light + passes * kBackground;
    imageStore(result, pixel, vec4(vec3(params.projection == 1 ? highest : mist), 1.0));
}
