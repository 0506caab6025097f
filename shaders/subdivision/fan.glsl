// A vertex with its neighbours, for its place and normals on the limit surface. Where edges are sharp
// for some levels only, the fan is subdivided until none is: a vertex's neighbours at the next level
// are points on its edges, so it needs nobody else.
#ifndef FAN
#define FAN

#include "record.glsl"
#include "rules.glsl"

const uint kMaxValence = 32u;

// Of the invocation: arrays of this size are not handed about.
vec3 fan_ring[kMaxValence];
uint fan_sharpness[kMaxValence];

struct Fan {
    vec3 vertex;
    uint valence;
    bool is_fixed; // a corner whatever its edges are
};

uint round_ring(Fan fan, uint k) {
    return k >= fan.valence ? k - fan.valence : k;
}

VertexSums sums_of(Fan fan) {
    VertexSums sums = VertexSums(vec3(0.0), vec3(0.0), vec3(0.0), 0u, 0u, 0u, 0u);
    for (uint k = 0u; k < fan.valence; ++k)
        add_to(sums, fan_ring[k], fan_sharpness[k]);
    return sums;
}

// Whether an edge is sharp, but not for ever.
bool fades(Fan fan) {
    for (uint k = 0u; k < fan.valence; ++k)
        if (fan_sharpness[k] > 0u && fan_sharpness[k] < kSharpForEver) return true;
    return false;
}

void subdivide(inout Fan fan) {
    VertexSums sums = sums_of(fan);
    vec3 first = fan_ring[0];
    vec3 before = fan_ring[fan.valence - 1u];
    for (uint k = 0u; k < fan.valence; ++k) {
        vec3 here = fan_ring[k];
        vec3 after = k + 1u < fan.valence ? fan_ring[k + 1u] : first;
        fan_ring[k] = edge_point(fan.vertex, here, before, after, fan_sharpness[k]);
        fan_sharpness[k] = decayed(fan_sharpness[k]);
        before = here;
    }
    if (!fan.is_fixed) fan.vertex = vertex_point(fan.vertex, fan.valence, sums);
}

// The fan about a corner, neighbours 0 and 1 being the triangle's other corners.
Fan fan_of(Record record, uint corner) {
    Fan fan = Fan(corner_of(record, corner), min(record.valence[corner], kMaxValence),
                  is_fixed(record, corner));
    for (uint k = 0u; k < fan.valence; ++k) {
        Spoke spoke = spoke_of(record, corner, k);
        fan_ring[k] = spoke.position;
        fan_sharpness[k] = spoke.sharpness;
    }
    const uint kMaxLevels = 16u; // 1023 / 64
    for (uint level = 0u; level < kMaxLevels && fades(fan); ++level)
        subdivide(fan);
    return fan;
}

uint sharp_edges(Fan fan) {
    uint count = 0u;
    for (uint k = 0u; k < fan.valence; ++k)
        if (fan_sharpness[k] > 0u) ++count;
    return count;
}

bool is_smooth(Fan fan) {
    return !fan.is_fixed && sharp_edges(fan) < 2u;
}

vec3 limit_position(Fan fan) {
    if (fan.is_fixed) return fan.vertex;
    VertexSums sums = sums_of(fan);
    if (sums.sharp_count < 2u)
        return fan.vertex +
               neighbour_weight_at_limit(fan.valence) * (sums.all - float(fan.valence) * fan.vertex);
    return sums.sharp_count == 2u ? (4.0 * fan.vertex + sums.sharp) / 6.0 : fan.vertex;
}

vec3 unit_or(vec3 v, vec3 other) {
    float size = length(v);
    return size > 1e-30 ? v / size : other;
}

// A point of the unit circle, turned by another.
vec2 turned_on(vec2 turn, vec2 by) {
    return vec2(turn.x * by.x - turn.y * by.y, turn.x * by.y + turn.y * by.x);
}

vec3 smooth_normal(Fan fan) {
    vec3 u = vec3(0.0);
    vec3 v = vec3(0.0);
    vec2 turn = vec2(1.0, 0.0);
    for (uint k = 0u; k < fan.valence; ++k) {
        u += turn.x * (fan_ring[k] - fan.vertex);
        v += turn.y * (fan_ring[k] - fan.vertex);
        turn = turned_on(turn, kTurns[fan.valence]);
    }
    return cross(u, v);
}

// Where one crease ends. Positions are symmetric about the crease, or change sign across it. The rule of
// its edge leaves those that change sign what they are on smooth surfaces. Of the symmetric ones, the
// tangent is the left eigenvector of the second largest eigenvalue, 3/8 + cos(theta) / 4: the crease
// itself weighs x, neighbour j weighs cos((j - n/2) theta) - cos(n/2 theta).
vec3 end_normal(Fan fan) {
    uint first = 0u;
    while (first < fan.valence && fan_sharpness[first] == 0u)
        ++first;
    vec2 half_step = kEnds[fan.valence].xy;
    vec2 step_on = turned_on(half_step, half_step);
    vec2 along_turn = vec2(1.0, 0.0);
    for (uint k = 0u; k < fan.valence; ++k)
        along_turn = turned_on(along_turn, vec2(half_step.x, -half_step.y));
    float least = along_turn.x;
    vec2 across_turn = vec2(1.0, 0.0);
    vec3 along = -kEnds[fan.valence].z * (fan_ring[first] - fan.vertex);
    vec3 across = vec3(0.0);
    for (uint k = 1u; k < fan.valence; ++k) {
        along_turn = turned_on(along_turn, step_on);
        across_turn = turned_on(across_turn, kTurns[fan.valence]);
        vec3 spoke = fan_ring[round_ring(fan, first + k)] - fan.vertex;
        along -= (along_turn.x - least) * spoke;
        across += across_turn.y * spoke;
    }
    return cross(along, across);
}

// Of the sector from one sharp edge to the next that has the triangle between neighbours `k` and
// k + 1 in it. Tangents across creases: Hoppe et al. 1994, and Biermann, Levin and Zorin, SIGGRAPH 2000.
vec3 sector_normal(Fan fan, uint k) {
    uint begin = k;
    for (uint i = 0u; i < fan.valence && fan_sharpness[begin] == 0u; ++i)
        begin = begin == 0u ? fan.valence - 1u : begin - 1u;
    uint count = 1u; // triangles of the sector
    while (count < fan.valence && fan_sharpness[round_ring(fan, begin + count)] == 0u)
        ++count;
    vec3 first = fan_ring[begin] - fan.vertex;
    vec3 last = fan_ring[round_ring(fan, begin + count)] - fan.vertex;
    vec3 face = cross(fan_ring[k] - fan.vertex, fan_ring[round_ring(fan, k + 1u)] - fan.vertex);
    if (fan.is_fixed || sharp_edges(fan) > 2u) {
        vec3 normal = cross(first, last);
        // More than half a turn: the other way round.
        return dot(normal, face) < 0.0 ? -normal : normal;
    }
    vec3 across;
    if (count == 1u) {
        across = first + last;
    } else if (count == 2u) {
        across = fan_ring[round_ring(fan, begin + 1u)] - fan.vertex;
    } else if (count == 3u) {
        vec3 a = fan_ring[round_ring(fan, begin + 1u)] - fan.vertex;
        vec3 b = fan_ring[round_ring(fan, begin + 2u)] - fan.vertex;
        across = 2.0 * (a + b) - (first + last);
    } else {
        // Half a turn by `count`, of which the table has the double.
        float twice = kTurns[count].x;
        vec2 part = vec2(sqrt(0.5 + 0.5 * twice), sqrt(0.5 - 0.5 * twice));
        vec2 turn = part;
        across = -part.y * (first + last);
        for (uint i = 1u; i < count; ++i) {
            across += (2.0 - 2.0 * part.x) * turn.y *
                      (fan_ring[round_ring(fan, begin + i)] - fan.vertex);
            turn = turned_on(turn, part);
        }
    }
    return cross(first - last, across);
}

// Of the triangle's own side.
vec3 normal_of_side(Fan fan) {
    const vec3 kUp = vec3(0.0, 1.0, 0.0); // where all is in one place
    vec3 face = unit_or(cross(fan_ring[0] - fan.vertex, fan_ring[1] - fan.vertex), kUp);
    if (!is_smooth(fan)) return unit_or(sector_normal(fan, 0u), face);
    return unit_or(sharp_edges(fan) == 1u ? end_normal(fan) : smooth_normal(fan), face);
}

#endif
