#version 460
// Rays through a volume of numbers: what a ray meets is as grey as the number and as dense as a tenth of
// it a voxel, from front to back. A quarter is cut away.
layout(local_size_x = 8, local_size_y = 8) in;

readonly buffer Source { float values[]; } source; //! doc one a voxel, x fastest
layout(rgba8) writeonly uniform image2D result;

uniform Params {
    uvec3 size;      //! doc voxels along x, y and z
    float azimuth;   //! default 30, unit degrees, doc where the camera stands
    float elevation; //! default 20, unit degrees
    float gain;      //! default 1, doc what numbers are multiplied by
    float bias;      //! default 0, doc what is added to them then
    float density;   //! range 0..1, default 0.1, doc of a number of 1, a voxel
} params;

const float kCut = 0.02; // beyond it in x and z nothing is shown

float number_at(ivec3 voxel) {
    if (any(lessThan(voxel, ivec3(0))) || any(greaterThanEqual(voxel, ivec3(params.size)))) return 0.0;
    uvec3 v = uvec3(voxel);
    return source.values[(v.z * params.size.y + v.y) * params.size.x + v.x];
}

float number_between(vec3 place) {
    ivec3 low = ivec3(floor(place));
    vec3 part = place - vec3(low);
    vec4 along_x = mix(vec4(number_at(low), number_at(low + ivec3(0, 1, 0)),
                            number_at(low + ivec3(0, 0, 1)), number_at(low + ivec3(0, 1, 1))),
                       vec4(number_at(low + ivec3(1, 0, 0)), number_at(low + ivec3(1, 1, 0)),
                            number_at(low + ivec3(1, 0, 1)), number_at(low + ivec3(1, 1, 1))),
                       part.x);
    vec2 along_y = mix(along_x.xz, along_x.yw, part.y);
    return mix(along_y.x, along_y.y, part.z);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 picture = imageSize(result);
    if (any(greaterThanEqual(texel, picture))) return;
    float turn = radians(params.azimuth);
    float rise = radians(params.elevation);
    vec3 towards = vec3(cos(rise) * sin(turn), -sin(rise), cos(rise) * cos(turn)); // the camera
    vec3 right = vec3(cos(turn), 0.0, -sin(turn));
    vec3 down = cross(towards, right);
    vec2 at = (vec2(texel) + 0.5 - 0.5 * vec2(picture)) * 2.0 / float(min(picture.x, picture.y));

    float voxel = 2.0 / float(params.size.y);
    vec3 half_sides = vec3(params.size) / float(params.size.y);
    float light = 0.0;
    float left = 1.0;
    for (float depth = 1.8; depth > -1.8 && left > 0.01; depth -= voxel) {
        vec3 p = at.x * right + at.y * down + depth * towards;
        if (any(greaterThan(abs(p), half_sides)) || (p.x > kCut && p.z > kCut)) continue;
        vec3 place = (p + half_sides) / voxel - 0.5;
        float number = clamp(params.gain * number_between(place) + params.bias, 0.0, 1.0);
        float share = left * params.density * number;
        light += share * number;
        left -= share;
    }
    vec3 color = light + left * vec3(0.03, 0.04, 0.06);
    imageStore(result, texel, vec4(pow(color, vec3(1.0 / 2.2)), 1.0));
}
