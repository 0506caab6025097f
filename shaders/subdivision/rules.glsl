// Loop's rules, with creases that stay sharp for some levels: C. Loop, "Smooth Subdivision Surfaces
// Based on Triangles", 1987; Hoppe et al., SIGGRAPH 1994; DeRose, Kass and Truong, SIGGRAPH 1998.
#ifndef RULES
#define RULES

const uint kLevel = 64u;         // sharpness that a level takes away
const uint kSharpForEver = 1023u;

// What is left after a level.
uint decayed(uint sharpness) {
    return sharpness == kSharpForEver ? sharpness : sharpness - min(sharpness, kLevel);
}

// What a neighbour weighs in the new place of a smooth vertex; the vertex itself weighs the rest.
float neighbour_weight(uint valence) {
    const float kTurn = 6.283185307179586;
    if (valence == 6u) return 1.0 / 16.0;
    float across = 3.0 / 8.0 + cos(kTurn / float(valence)) / 4.0;
    return (5.0 / 8.0 - across * across) / float(valence);
}

// The same for its place on the limit surface.
float neighbour_weight_at_limit(uint valence) {
    return 1.0 / (float(valence) + 3.0 / (8.0 * neighbour_weight(valence)));
}

// On an edge between `a` and `b`, which c and d lie across from.
vec3 edge_point(vec3 a, vec3 b, vec3 c, vec3 d, uint sharpness) {
    vec3 smooth_point = 0.375 * (a + b) + 0.125 * (c + d);
    if (sharpness == 0u) return smooth_point;
    return mix(smooth_point, 0.5 * (a + b), min(float(sharpness) / float(kLevel), 1.0));
}

// Sums over the neighbours of a vertex.
struct VertexSums {
    vec3 all;
    vec3 sharp;       // of those along sharp edges
    vec3 still_sharp; // of those whose edges are sharp at the next level too
    uint sharp_count;
    uint still_count;
    uint fading;      // sharpness of edges that become smooth
    uint fading_count;
};

void add_to(inout VertexSums sums, vec3 neighbour, uint sharpness) {
    sums.all += neighbour;
    if (sharpness == 0u) return;
    sums.sharp += neighbour;
    ++sums.sharp_count;
    if (decayed(sharpness) > 0u) {
        sums.still_sharp += neighbour;
        ++sums.still_count;
    } else {
        sums.fading += sharpness;
        ++sums.fading_count;
    }
}

vec3 moved(vec3 vertex, uint valence, vec3 all, uint sharp_count, vec3 sharp) {
    if (sharp_count < 2u)
        return vertex + neighbour_weight(valence) * (all - float(valence) * vertex);
    return sharp_count == 2u ? 0.75 * vertex + 0.125 * sharp : vertex;
}

// Where the vertex goes at the next level. Between the rules of this level and the next one where
// edges become smooth.
vec3 vertex_point(vec3 vertex, uint valence, VertexSums sums) {
    vec3 now = moved(vertex, valence, sums.all, sums.sharp_count, sums.sharp);
    if (sums.fading_count == 0u) return now;
    vec3 next = moved(vertex, valence, sums.all, sums.still_count, sums.still_sharp);
    float share = float(sums.fading) / float(kLevel * sums.fading_count);
    return mix(next, now, min(share, 1.0));
}

#endif
