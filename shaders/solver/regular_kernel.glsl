// What the kernels on regular grids have in common. They relax once or more, red before black, and
// look at the residual that this leaves. With CORRECTED, what is relaxed is the source plus the
// interpolated solution of the coarser grid, and of the residual and the solution there are sums;
// else the residual becomes the coarser grid's right-hand side.
layout(constant_id = 1) const uint kFirstColor = 0u; // 1: black first

readonly buffer Source { vec2 values[]; } source;
writeonly buffer Result { vec2 values[]; } result;
#if CORRECTED
writeonly buffer PartialSums { vec4 values[]; } partial_sums; // of a group: squares of the residual, solution
#else
writeonly buffer Restricted { float values[]; } restricted;
#endif

#include "modulo.glsl"
#include "strips.glsl"
#if CORRECTED
#include "solver/group_sum.glsl"
#include "strip_correction.glsl"
#endif

readonly buffer Rhs { vec2 values[]; } rhs;
readonly buffer Status {
#include "solver/status.glsl"
} status;

// As in rhs.glsl.
float rhs_shift() {
    return params.has_status == 0u ? 0.0 : status.shift;
}

// Of a strip in a slice whose pairs begin at `base`: as memory has them. Beyond walls there is
// something: reads have no branches around them, lest one waits for the other.
Columns source_columns(Strip s, int base) {
    ivec4 at = base + max(s.pair, 0);
    vec2 a = source.values[at.x];
    vec2 b = source.values[at.y];
    vec2 c = source.values[at.z];
    vec2 d = source.values[at.w];
    return Columns(vec4(a.x, b.x, c.x, d.x), vec4(a.y, b.y, c.y, d.y));
}
Columns rhs_columns(Strip s, int base) {
    ivec4 at = base + max(s.pair, 0);
    vec2 a = rhs.values[at.x];
    vec2 b = rhs.values[at.y];
    vec2 c = rhs.values[at.z];
    vec2 d = rhs.values[at.w];
    return Columns(vec4(a.x, b.x, c.x, d.x), vec4(a.y, b.y, c.y, d.y));
}

// Cells that exist.
bvec4 inside(Strip s) {
    return greaterThanEqual(s.pair, ivec4(0));
}
// What `c` is where `counts`, else 0.
Columns where(Columns c, bvec4 counts) {
    return Columns(mix(vec4(0.0), c.first, counts), mix(vec4(0.0), c.second, counts));
}
