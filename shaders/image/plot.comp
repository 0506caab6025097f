#version 460
// Curves through the rows of a table, over a chart without them.

layout(local_size_x = 16, local_size_y = 16) in;

uniform Params {
    uint rows;
    uint columns;
    uint logarithmic;
    float low;    // ends of the axis; logarithms where it is logarithmic
    float high;
    float line;   // width of a curve, texels
    ivec2 corner; // of the rectangle that the curves are in
    ivec2 size;
    vec4 colors[8];
} params;

readonly buffer Table { float values[]; } table;
uniform sampler2D paper;
uniform writeonly image2D result;

const int kMaxSegments = 256; // that a texel looks at; more of them are one band

bool is_shown(float value) {
    bool finite_ = (floatBitsToUint(value) & 0x7f800000u) != 0x7f800000u;
    return finite_ && (params.logarithmic == 0u || value > 0.0);
}

// Texels from the left and from the upper edge of the rectangle.
vec2 place_of(int row, float value, vec2 size) {
    float height = params.logarithmic != 0u ? log2(value) : value;
    float x = params.rows > 1u ? float(row) / float(params.rows - 1u) : 0.5;
    float y = (height - params.low) / (params.high - params.low);
    return vec2(x, 1.0 - clamp(y, -8.0, 8.0)) * size;
}

float distance_to(vec2 p, vec2 a, vec2 b) {
    vec2 along = b - a;
    float size = dot(along, along);
    float t = size > 0.0 ? clamp(dot(p - a, along) / size, 0.0, 1.0) : 0.0;
    return distance(p, a + t * along);
}

// A part of 0 to 1 of a texel that a line of half that width covers.
float coverage(float distance_, float half_width) {
    return clamp(half_width + 0.5 - distance_, 0.0, 1.0);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 extent = imageSize(result);
    if (any(greaterThanEqual(texel, extent))) return;
    vec3 color = texelFetch(paper, texel, 0).rgb;
    ivec2 inside = texel - params.corner;
    if (any(lessThan(inside, ivec2(0))) || any(greaterThanEqual(inside, params.size))) {
        imageStore(result, texel, vec4(color, 1.0));
        return;
    }
    vec2 size = vec2(params.size);
    vec2 p = vec2(inside) + 0.5;
    float reach = 0.5 * params.line + 1.0;
    float rows_per_texel = float(params.rows - 1u) / size.x;
    int last = int(params.rows) - 1;
    int first = clamp(int(floor((p.x - reach) * rows_per_texel)), 0, last);
    int end = clamp(int(ceil((p.x + reach) * rows_per_texel)), first, last);
    end = min(end, first + kMaxSegments);
    for (uint column = 0u; column < params.columns; ++column) {
        float nearest = 1e30;
        float before = table.values[uint(first) * params.columns + column];
        vec2 from = place_of(first, before, size);
        if (is_shown(before)) nearest = distance(p, from);
        for (int row = first + 1; row <= end; ++row) {
            float value = table.values[uint(row) * params.columns + column];
            vec2 to = place_of(row, value, size);
            if (is_shown(value))
                nearest =
                    min(nearest, is_shown(before) ? distance_to(p, from, to) : distance(p, to));
            before = value;
            from = to;
        }
        color = mix(color, params.colors[column].rgb, coverage(nearest, 0.5 * params.line));
    }
    imageStore(result, texel, vec4(color, 1.0));
}
