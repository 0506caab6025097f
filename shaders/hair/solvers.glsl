// Ways to give the edges of a strand their length back, a strand a lane. They work on state.glsl;
// the fourth number of `local` is the length of the edge that begins at a vertex.
#ifndef HAIR_SOLVERS
#define HAIR_SOLVERS

#include "state.glsl"
#include "strand.glsl"
#include "woven.glsl"

float rest_length(uint strand, uint edge) {
    return local.values[woven(strand, edge, kVertices)].w;
}

// Batches as in hair/lengths: even edges, odd edges. `soft`: compliance over the square of the time.
void solve_by_batches(uint strand, uint iterations, float soft) {
    float pulled[kVertices];
    if (soft > 0.0)
        for (uint i = 0u; i < kVertices; ++i) pulled[i] = 0.0;
    for (uint k = 0u; k < 2u * iterations; ++k)
        for (uint i = k & 1u; i + 1u < kVertices; i += 2u) {
            float low = weight_of(i);
            float high = weight_of(i + 1u);
            float rest_here = rest_length(strand, i);
            if (!(low + high > 0.0 && rest_here > 0.0)) continue;
            vec3 a = place_of(i);
            vec3 b = place_of(i + 1u);
            vec3 excess = edge_excess(a, b, rest_here);
            float now = length(b - a);
            if (now > kShortest && soft > 0.0) {
                float change = (now - rest_here - soft * pulled[i]) / (low + high + soft);
                pulled[i] += change;
                excess = (b - a) * (change / now);
            } else {
                excess /= low + high;
            }
            if (low > 0.0) set_place(i, a + excess);
            set_place(i + 1u, b - high * excess);
        }
}

// From the root to the tip each edge moves its farther vertex alone: exact in one pass. What a vertex
// is moved by is taken from the speed of the one before it, by the share `correction` (Mueller, Kim
// and Chentanez, "Fast Simulation of Inextensible Hair and Fur", VRIPHYS 2012).
void follow_the_leader(uint strand, float correction) {
    vec3 a = place_of(1u);
    float next_rest = rest_length(strand, 1u); // read before it is needed
    for (uint i = 1u; i + 1u < kVertices; ++i) {
        vec3 b = place_of(i + 1u);
        float rest_here = next_rest;
        next_rest = rest_length(strand, i + 1u);
        vec3 along = b - a;
        float now = length(along);
        vec3 to = b;
        if (rest_here > 0.0) // an edge of no length hangs down
            to = a + (now > kShortest ? along * (rest_here / now) : vec3(0.0, -rest_here, 0.0));
        if (i >= kPinned && correction > 0.0) set_former(i, former_of(i) + correction * (to - b));
        set_place(i + 1u, to);
        a = to;
    }
}

vec3 unit_or(vec3 v, vec3 other) {
    float size = length(v);
    return size > kShortest ? v / size : other;
}

// The sum of squared errors once vertices have moved by `share` of what the multipliers say.
float error_after(uint strand, float pull[kVertices], float share) {
    float sum = 0.0;
    vec3 here = place_of(1u);
    vec3 moved = here;
    vec3 before = vec3(0.0);
    for (uint i = 1u; i + 1u < kVertices; ++i) {
        vec3 next = place_of(i + 1u);
        vec3 along = pull[i] * unit_or(next - here, vec3(0.0));
        vec3 ahead = vec3(0.0);
        if (i + 2u < kVertices) ahead = pull[i + 1u] * unit_or(place_of(i + 2u) - next, vec3(0.0));
        vec3 next_moved = next + share * (ahead - along);
        float error = distance(moved, next_moved) - rest_length(strand, i);
        sum += error * error;
        here = next;
        moved = next_moved;
    }
    return sum;
}

// All edges together: the constraints' system along a strand is tridiagonal (Han and Harada,
// "Tridiagonal Matrix Formulation for Inextensible Hair Strand Simulation", VRIPHYS 2013), and each
// iteration is a Newton step with a line search, for steps from nearly straight strands go too far.
void solve_directly(uint strand, uint iterations, float soft) {
    float above[kVertices];
    float pull[kVertices];
    for (uint k = 0u; k < iterations; ++k) {
        vec3 a = place_of(1u);
        vec3 before = vec3(0.0);
        float old_error = 0.0;
        above[0] = 0.0;
        pull[0] = 0.0;
        for (uint i = 1u; i + 1u < kVertices; ++i) {
            vec3 b = place_of(i + 1u);
            vec3 along = b - a;
            float now = length(along);
            vec3 direction = now > kShortest ? along / now : vec3(0.0);
            float error = now - rest_length(strand, i);
            old_error += error * error;
            float low = weight_of(i);
            float below = -low * dot(before, direction);
            float pivot = low + 1.0 + soft - below * above[i - 1u];
            float next_cosine = 0.0;
            if (i + 2u < kVertices)
                next_cosine = dot(direction, unit_or(place_of(i + 2u) - b, vec3(0.0)));
            above[i] = -next_cosine / pivot;
            pull[i] = (error - below * pull[i - 1u]) / pivot;
            before = direction;
            a = b;
        }
        for (uint i = kVertices - 2u; i > 1u; --i) pull[i - 1u] -= above[i - 1u] * pull[i];
        float share = 1.0;
        // Soft edges end with an error that is theirs.
        if (soft == 0.0)
            for (uint halving = 0u; halving < 4u; ++halving) {
                if (error_after(strand, pull, share) <= old_error) break;
                share *= 0.5;
            }
        vec3 here = place_of(1u);
        before = vec3(0.0);
        for (uint i = 1u; i < kVertices; ++i) {
            vec3 along = vec3(0.0);
            vec3 next = here;
            if (i + 1u < kVertices) {
                next = place_of(i + 1u);
                along = pull[i] * unit_or(next - here, vec3(0.0));
            }
            if (i >= kPinned) set_place(i, here + share * (along - before));
            before = along;
            here = next;
        }
    }
}

#endif
