// Loop's rules, with creases that stay sharp for some levels: C. Loop, "Smooth Subdivision Surfaces
// Based on Triangles", 1987; Hoppe et al., SIGGRAPH 1994; DeRose, Kass and Truong, SIGGRAPH 1998.
#ifndef RULES
#define RULES

const uint kLevel = 64u;         // sharpness that a level takes away
const uint kSharpForEver = 1023u;

// Cosine and sine of a turn divided by n, exact: devices' own may be off by 1/2000.
const vec2 kTurns[33] = vec2[33](
    vec2(1.000000000, 0.000000000), vec2(1.000000000, 0.000000000), vec2(1.000000000, 0.000000000),
    vec2(-0.500000000, 0.866025404), vec2(0.000000000, 1.000000000), vec2(0.309016994, 0.951056516),
    vec2(0.500000000, 0.866025404), vec2(0.623489802, 0.781831482), vec2(0.707106781, 0.707106781),
    vec2(0.766044443, 0.642787610), vec2(0.809016994, 0.587785252), vec2(0.841253533, 0.540640817),
    vec2(0.866025404, 0.500000000), vec2(0.885456026, 0.464723172), vec2(0.900968868, 0.433883739),
    vec2(0.913545458, 0.406736643), vec2(0.923879533, 0.382683432), vec2(0.932472229, 0.361241666),
    vec2(0.939692621, 0.342020143), vec2(0.945817242, 0.324699469), vec2(0.951056516, 0.309016994),
    vec2(0.955572806, 0.294755174), vec2(0.959492974, 0.281732557), vec2(0.962917287, 0.269796771),
    vec2(0.965925826, 0.258819045), vec2(0.968583161, 0.248689887), vec2(0.970941817, 0.239315664),
    vec2(0.973044871, 0.230615871), vec2(0.974927912, 0.222520934), vec2(0.976620556, 0.214970440),
    vec2(0.978147601, 0.207911691), vec2(0.979529941, 0.201298520), vec2(0.980785280, 0.195090322));

// Where a crease ends, by valence: cosine and sine of theta / 2, and x (fan.glsl, end_normal).
const vec3 kEnds[33] = vec3[33](
    vec3(1.000000000, 0.000000000, -1.00000000), vec3(1.000000000, 0.000000000, -1.00000000),
    vec3(1.000000000, 0.000000000, -1.00000000), vec3(0.739280167, 0.673397976, -1.95433722),
    vec3(0.808482942, 0.588519611, -2.88798760), vec3(0.843733116, 0.536762918, -3.60908827),
    vec3(0.866025404, 0.500000000, -4.00000000), vec3(0.882578982, 0.470164163, -4.02708418),
    vec3(0.896430830, 0.443183671, -3.75796535), vec3(0.908850243, 0.417122566, -3.32942932),
    vec3(0.920158638, 0.391545757, -2.87544976), vec3(0.930271279, 0.366872385, -2.47322351),
    vec3(0.939090803, 0.343669120, -2.14445059), vec3(0.946644202, 0.322280553, -1.88293030),
    vec3(0.953054180, 0.302799818, -1.67499666), vec3(0.958480241, 0.285158951, -1.50781677),
    vec3(0.963080721, 0.269212787, -1.37135733), vec3(0.966996301, 0.254790410, -1.25822067),
    vec3(0.970345652, 0.241721565, -1.16303133), vec3(0.973226432, 0.229848455, -1.08186900),
    vec3(0.975718138, 0.219029939, -1.01184188), vec3(0.977885268, 0.209142064, -0.95078601),
    vec3(0.979780184, 0.200076963, -0.89705730), vec3(0.981445532, 0.191741147, -0.84938796),
    vec3(0.982916195, 0.184053673, -0.80678641), vec3(0.984220848, 0.176944403, -0.76846681),
    vec3(0.985383196, 0.170352451, -0.73379875), vec3(0.986422934, 0.164224829, -0.70227077),
    vec3(0.987356523, 0.158515285, -0.67346363), vec3(0.988197788, 0.153183327, -0.64703040),
    vec3(0.988958401, 0.148193389, -0.62268147), vec3(0.989648268, 0.143514128, -0.60017316),
    vec3(0.990275833, 0.139117843, -0.57929889));

// What is left after a level.
uint decayed(uint sharpness) {
    return sharpness == kSharpForEver ? sharpness : sharpness - min(sharpness, kLevel);
}

// What a neighbour weighs in the new place of a smooth vertex; the vertex itself weighs the rest.
float neighbour_weight(uint valence) {
    if (valence == 6u) return 1.0 / 16.0;
    float across = 3.0 / 8.0 + kTurns[min(valence, 32u)].x / 4.0;
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
