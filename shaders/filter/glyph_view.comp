#version 460
// Glyphs in a picture. Ellipsoids are seen in parallel projection: a ray goes through the grid cell
// by cell, and since no glyph leaves its cell the first that it meets is the nearest. Behind them
// is the brightest number of the volume along the ray. Ellipses lie over the array itself.
//! variants DIMENSIONS=2,3

layout(local_size_x = 16, local_size_y = 16) in;
#include "color.glsl"
#include "glyph.glsl"

readonly buffer Glyphs { Glyph list[]; } glyphs;
readonly buffer Values { float list[]; } values;
uniform writeonly image2D result;

uniform Params {
    uvec3 size;  // of the array
    uvec3 cells; // glyphs along each axis
    uint step;   // places from a glyph to the next
    uint has_values;
    float brightness; // of the numbers behind the glyphs
#if DIMENSIONS == 3
    vec4 right; // a texel to the right, in places
    vec4 down;
    vec4 into;  // of length 1
#endif
} params;

float value_at(ivec3 place) {
    ivec3 at = clamp(place, ivec3(0), ivec3(params.size) - 1);
    return values.list[(at.z * int(params.size.y) + at.y) * int(params.size.x) + at.x];
}

#if DIMENSIONS == 2

vec3 color_at(vec2 texel, vec2 extent) {
    vec2 place = texel / extent * vec2(params.size.xy);
    float shade = params.has_values != 0u ? params.brightness * value_at(ivec3(place, 0)) : 0.0;
    vec3 color = vec3(clamp(shade, 0.0, 1.0));
    uvec2 cell = min(uvec2(place) / params.step, params.cells.xy - 1u);
    Glyph glyph = glyphs.list[cell.y * params.cells.x + cell.x];
    if (glyph.center.w == 0.0) return color;
    vec2 from = place - glyph.center.xy;
    float away = length(vec2(dot(glyph.rows[0].xy, from), dot(glyph.rows[1].xy, from)));
    // A texel wide edge: how much `away` changes over one.
    float texel_size = float(params.size.x) / extent.x;
    float width = max(texel_size * max(length(glyph.rows[0].xy), length(glyph.rows[1].xy)), 1e-6);
    return mix(color, glyph.color.rgb, clamp((1.0 - away) / width + 0.5, 0.0, 1.0));
}

#else

struct Ray {
    vec3 from;
    vec3 along;
};

// Where it enters and leaves the array; the second is less where it misses.
vec2 passage(Ray ray) {
    vec3 steep = mix(ray.along, vec3(1e-9), lessThan(abs(ray.along), vec3(1e-9)));
    vec3 low = -ray.from / steep;
    vec3 high = (vec3(params.size) - ray.from) / steep;
    vec3 first = min(low, high);
    vec3 last = max(low, high);
    return vec2(max(first.x, max(first.y, first.z)), min(last.x, min(last.y, last.z)));
}

// The way to the ellipsoid, or a negative number. `normal` is that of its surface, not of length 1.
float meets(Glyph glyph, Ray ray, out vec3 normal) {
    vec3 shift = ray.from - glyph.center.xyz;
    mat3 rows = mat3(glyph.rows[0].xyz, glyph.rows[1].xyz, glyph.rows[2].xyz);
    vec3 from = shift * rows; // dot products with the rows
    vec3 along = ray.along * rows;
    float a = dot(along, along);
    float b = dot(from, along);
    float discriminant = b * b - a * (dot(from, from) - 1.0);
    normal = vec3(0.0);
    if (discriminant < 0.0) return -1.0;
    float way = -(b + sqrt(discriminant)) / a;
    normal = rows * (from + way * along);
    return way;
}

vec3 lit(vec3 color, vec3 normal) {
    vec3 light = normalize(-params.into.xyz - 0.5 * normalize(params.right.xyz) -
                           0.7 * normalize(params.down.xyz));
    float facing = max(dot(normalize(normal), light), 0.0);
    return color * (0.18 + 0.82 * facing);
}

// The first glyph on the way, black of alpha 0 where there is none.
vec4 first_glyph(Ray ray, vec2 way) {
    vec3 cell_size = vec3(float(params.step));
    vec3 point = ray.from + way.x * ray.along;
    ivec3 cell = clamp(ivec3(floor(point / cell_size)), ivec3(0), ivec3(params.cells) - 1);
    ivec3 turn = ivec3(sign(ray.along));
    vec3 steep = mix(ray.along, vec3(1e-9), lessThan(abs(ray.along), vec3(1e-9)));
    vec3 next = ((vec3(cell) + max(vec3(turn), 0.0)) * cell_size - ray.from) / steep;
    vec3 pitch = cell_size / abs(steep);
    next = mix(next, vec3(1e30), equal(turn, ivec3(0)));
    uint most = params.cells.x + params.cells.y + params.cells.z;
    for (uint i = 0u; i < most; ++i) {
        Glyph glyph =
            glyphs.list[(cell.z * int(params.cells.y) + cell.y) * int(params.cells.x) + cell.x];
        vec3 normal;
        if (glyph.center.w != 0.0 && meets(glyph, ray, normal) >= 0.0)
            return vec4(lit(glyph.color.rgb, normal), 1.0);
        int axis = next.x <= next.y ? (next.x <= next.z ? 0 : 2) : (next.y <= next.z ? 1 : 2);
        cell[axis] += turn[axis];
        next[axis] += pitch[axis];
        if (cell[axis] < 0 || cell[axis] >= int(params.cells[axis])) break;
    }
    return vec4(0.0);
}

float brightest(Ray ray, vec2 way) {
    float most = 0.0;
    for (float at = way.x + 0.5; at < way.y; at += 1.0)
        most = max(most, value_at(ivec3(floor(ray.from + at * ray.along))));
    return most;
}

vec3 color_at(vec2 texel, vec2 extent) {
    vec2 from_middle = texel - 0.5 * extent;
    float reach = length(vec3(params.size));
    Ray ray = Ray(0.5 * vec3(params.size) + from_middle.x * params.right.xyz +
                      from_middle.y * params.down.xyz - reach * params.into.xyz,
                  params.into.xyz);
    vec2 way = passage(ray);
    if (way.y <= way.x) return vec3(0.0);
    vec4 glyph = first_glyph(ray, way);
    if (glyph.a > 0.0) return glyph.rgb;
    if (params.has_values == 0u) return vec3(0.0);
    return vec3(clamp(params.brightness * brightest(ray, way), 0.0, 1.0));
}

#endif

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 extent = imageSize(result);
    if (any(greaterThanEqual(texel, extent))) return;
    vec3 color = color_at(vec2(texel) + 0.5, vec2(extent));
    imageStore(result, texel, vec4(srgb_encode(clamp(color, 0.0, 1.0)), 1.0));
}
