#version 460
// The equations of seamless cloning: Poisson's equation for what is to be added to the target, on a
// box of its texels. Perez, Gangnet, Blake, "Poisson Image Editing", SIGGRAPH 2003, equation 7 with
// the target's own differences taken off both sides; equation 13 for the stronger differences.

layout(local_size_x = 16, local_size_y = 16) in;

uniform sampler2D target;
uniform sampler2D source;
uniform sampler2D mask; // of the source's size; not read where has_mask is 0
writeonly buffer Cells { uint kinds[]; } cells; // PoissonCell, x fastest, like the rest
writeonly buffer Red { float values[]; } red;
writeonly buffer Green { float values[]; } green;
writeonly buffer Blue { float values[]; } blue;

layout(constant_id = 0) const uint has_mask = 0u;

uniform Params {
    ivec2 box;       // texels along each axis
    ivec2 origin;    // of the box in the target
    ivec2 offset;    // of the source in the target
    int channel;     // of the mask
    int stronger;    // 1: the target's difference where it is greater than the source's
    float threshold; // the mask's values above it are inside
} params;

const uint kUnknown = 0u;
const uint kFixed = 2u;

bool is_inside(ivec2 texel) {
    ivec2 at = texel - params.offset;
    if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, textureSize(source, 0))))
        return false;
    return has_mask == 0u || texelFetch(mask, at, 0)[params.channel] > params.threshold;
}

// Beyond its edges the source goes on as it ends.
vec3 source_color(ivec2 texel) {
    ivec2 at = clamp(texel - params.offset, ivec2(0), textureSize(source, 0) - 1);
    return texelFetch(source, at, 0).rgb;
}

void main() {
    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(cell, params.box))) return;

    ivec2 texel = params.origin + cell;
    bool inside = is_inside(texel);
    vec3 sum = vec3(0.0);
    if (inside) {
        const ivec2 kSteps[4] = ivec2[](ivec2(-1, 0), ivec2(1, 0), ivec2(0, -1), ivec2(0, 1));
        vec3 here = texelFetch(target, texel, 0).rgb;
        vec3 wanted_here = source_color(texel);
        for (int i = 0; i < 4; ++i) {
            ivec2 other = texel + kSteps[i];
            // No equation crosses the target's edges.
            if (any(lessThan(other, ivec2(0))) ||
                any(greaterThanEqual(other, textureSize(target, 0))))
                continue;
            vec3 difference = here - texelFetch(target, other, 0).rgb;
            vec3 wanted = wanted_here - source_color(other);
            if (params.stronger != 0)
                wanted = mix(difference, wanted, greaterThan(abs(wanted), abs(difference)));
            sum += wanted - difference;
        }
    }
    int i = cell.x + params.box.x * cell.y;
    cells.kinds[i] = inside ? kUnknown : kFixed;
    red.values[i] = sum.r;
    green.values[i] = sum.g;
    blue.values[i] = sum.b;
}
