// Ways to give the edges of strands their length back. All lanes of a group call them together, but
// for what follows a leader. `moves`: whether the strand of the lane's part does.
#ifndef HAIR_SOLVERS
#define HAIR_SOLVERS

#include "state.glsl"

// Batches as in hair/lengths: even edges, odd edges. `soft`: compliance over the square of the time.
void solve_by_batches(Part part, bool moves, uint iterations, float soft) {
    if (soft > 0.0)
        for (uint i = part.begin; i < part.end; ++i) numbers[number_index(0u, part.column, i)] = 0.0;
    for (uint k = 0u; k < 2u * iterations; ++k) {
        uint end = moves ? min(part.end, kVertices - 1u) : 0u;
        for (uint i = part.begin + ((part.begin ^ k) & 1u); i < end; i += 2u) {
            float low = weight_of(i);
            float high = weight_of(i + 1u);
            float rest_here = rest_length(part.column, i);
            if (!(low + high > 0.0 && rest_here > 0.0)) continue;
            vec3 a = place_of(part.column, i);
            vec3 b = place_of(part.column, i + 1u);
            vec3 excess = edge_excess(a, b, rest_here);
            float now = length(b - a);
            if (now > kShortest && soft > 0.0) {
                uint pulled = number_index(0u, part.column, i);
                float change = (now - rest_here - soft * numbers[pulled]) / (low + high + soft);
                numbers[pulled] += change;
                excess = (b - a) * (change / now);
            } else {
                excess /= low + high;
            }
            if (low > 0.0) set_place(part.column, i, a + excess);
            set_place(part.column, i + 1u, b - high * excess);
        }
        barrier();
    }
}

// From the root to the tip each edge moves its farther vertex alone: exact in one pass. What a vertex
// is moved by is taken from the speed of the one before it, by the share `correction` (Mueller, Kim
// and Chentanez, "Fast Simulation of Inextensible Hair and Fur", VRIPHYS 2012). By a strand's lane.
void follow_the_leader(uint column, float correction) {
    vec3 a = place_of(column, 1u);
    vec3 b = place_of(column, 2u);
    float next_rest = rest_length(column, 1u);
    for (uint i = 1u; i + 1u < kVertices; ++i) {
        vec3 after = place_of(column, min(i + 2u, kVertices - 1u)); // read before they are needed
        float rest_here = next_rest;
        next_rest = rest_length(column, min(i + 1u, kVertices - 1u));
        vec3 along = b - a;
        float square = dot(along, along);
        vec3 to = b;
        if (rest_here > 0.0) // an edge of no length hangs down; one after the other, so without a root and a division
            to = a + (square > kShortest * kShortest ? along * (rest_here * inversesqrt(square))
                                                     : vec3(0.0, -rest_here, 0.0));
        if (i >= kPinned && correction > 0.0)
            former.values[former_index(column, i)].xyz += correction * (to - b);
        set_place(column, i + 1u, to);
        a = to;
        b = after;
    }
}

vec3 unit_or_zero(vec3 v) {
    float size = length(v);
    return size > kShortest ? v / size : vec3(0.0);
}

const uint kPull = 0u;  // multiplier of each edge; before: its error
const uint kAbove = 1u; // of the eliminated system; before: cosine between an edge and the next

shared float shares[kStrands]; // of the multipliers by which each strand moves
shared uint unsettled[kStrands]; // 1: its line search goes on
shared float errors[kLanes];
shared uint still_unsettled[4];

// An edge's direction times its multiplier.
vec3 pull_along(uint column, uint edge, vec3 from, vec3 to) {
    return numbers[number_index(kPull, column, edge)] * unit_or_zero(to - from);
}

// What an edge that gives way has pulled in the iterations so far is where `former` has nothing else:
// integration and loading put 0 there.
void measure_edges(Part part, float soft) {
    uint end = min(part.end, kVertices - 1u);
    uint i = max(part.begin, 1u);
    if (i >= end) return;
    vec3 b = place_of(part.column, i + 1u);
    vec3 along = b - place_of(part.column, i);
    for (; i < end; ++i) {
        float now = length(along);
        float error = now - rest_length(part.column, i);
        if (soft > 0.0) error -= soft * former.values[former_index(part.column, i)].w;
        numbers[number_index(kPull, part.column, i)] = error;
        vec3 c = place_of(part.column, min(i + 2u, kVertices - 1u));
        vec3 next = c - b;
        float both = now * length(next);
        numbers[number_index(kAbove, part.column, i)] =
            both > kShortest * kShortest ? dot(along, next) / both : 0.0;
        along = next;
        b = c;
    }
}

// Thomas' algorithm, by a strand's lane. Returns the sum of squared errors before.
float eliminate(uint column, float soft) {
    float sum = 0.0;
    float above = 0.0;
    float pull = 0.0;
    float cosine = 0.0; // to the edge before, which moves with the edge's lower vertex
    for (uint i = 1u; i + 1u < kVertices; ++i) {
        uint at = number_index(kPull, column, i);
        uint at_above = number_index(kAbove, column, i);
        float error = numbers[at];
        float next_cosine = numbers[at_above];
        sum += error * error;
        float low = weight_of(i);
        float below = -low * cosine;
        float one_over_pivot = 1.0 / (low + 1.0 + soft - below * above);
        above = -next_cosine * one_over_pivot;
        pull = (error - below * pull) * one_over_pivot;
        numbers[at] = pull;
        numbers[at_above] = above;
        cosine = next_cosine;
    }
    for (uint i = kVertices - 2u; i > 1u; --i) {
        uint at = number_index(kPull, column, i - 1u);
        pull = numbers[at] - numbers[number_index(kAbove, column, i - 1u)] * pull;
        numbers[at] = pull;
    }
    return sum;
}

// The sum of squared errors of a part's edges once vertices have moved by `share` of what the
// multipliers say.
float error_after(Part part, float share) {
    uint end = min(part.end, kVertices - 1u);
    uint i = max(part.begin, 1u);
    if (i >= end) return 0.0;
    vec3 here = place_of(part.column, i);
    vec3 next = place_of(part.column, i + 1u);
    vec3 along = pull_along(part.column, i, here, next);
    vec3 moved = here;
    if (i >= kPinned)
        moved += share * (along - pull_along(part.column, i - 1u, place_of(part.column, i - 1u), here));
    float sum = 0.0;
    for (; i < end; ++i) {
        vec3 after = next;
        vec3 ahead = vec3(0.0);
        if (i + 2u < kVertices) {
            after = place_of(part.column, i + 2u);
            ahead = pull_along(part.column, i + 1u, next, after);
        }
        vec3 next_moved = next + share * (ahead - along);
        float error = distance(moved, next_moved) - rest_length(part.column, i);
        sum += error * error;
        next = after;
        moved = next_moved;
        along = ahead;
    }
    return sum;
}

// Halves the share of strands whose errors would grow: steps from nearly straight strands go too far.
void search_share(Part part, bool moves, float old_error) {
    uint lane = gl_LocalInvocationIndex;
    for (uint halving = 0u; halving < 4u; ++halving) {
        bool open = moves && unsettled[part.column] != 0u;
        errors[lane] = open ? error_after(part, shares[part.column]) : 0.0;
        barrier();
        if (lane < kStrands && unsettled[lane] != 0u) {
            float sum = 0.0;
            for (uint i = lane; i < kLanes; i += kStrands) sum += errors[i];
            if (sum <= old_error) {
                unsettled[lane] = 0u;
            } else {
                shares[lane] *= 0.5;
                atomicAdd(still_unsettled[halving], 1u);
            }
        }
        barrier();
        if (still_unsettled[halving] == 0u) break; // of the whole group
    }
}

void move_by_pulls(Part part, bool moves) {
    // What other lanes move is read before they do.
    vec3 before = vec3(0.0);
    vec3 beyond = vec3(0.0);
    if (part.begin > 1u && part.begin < part.end)
        before = pull_along(part.column, part.begin - 1u, place_of(part.column, part.begin - 1u),
                            place_of(part.column, part.begin));
    if (part.end < kVertices) beyond = place_of(part.column, part.end);
    barrier();
    float share = shares[part.column];
    for (uint i = part.begin; moves && i < part.end; ++i) {
        vec3 here = place_of(part.column, i);
        vec3 along = vec3(0.0);
        if (i > 0u && i + 1u < kVertices) {
            vec3 next = beyond;
            if (i + 1u < part.end) next = place_of(part.column, i + 1u);
            along = pull_along(part.column, i, here, next);
        }
        if (i >= kPinned) set_place(part.column, i, here + share * (along - before));
        before = along;
    }
    barrier();
}

// All edges together: the constraints' system along a strand is tridiagonal (Han and Harada,
// "Tridiagonal Matrix Formulation for Inextensible Hair Strand Simulation", VRIPHYS 2013), and each
// iteration is a Newton step with a line search. Only the elimination goes along the strand.
void solve_directly(Part part, bool moves, uint iterations, float soft) {
    uint lane = gl_LocalInvocationIndex;
    for (uint k = 0u; k < iterations; ++k) {
        if (moves) measure_edges(part, soft);
        barrier();
        float old_error = 0.0;
        if (lane < kStrands) {
            if (moves) old_error = eliminate(lane, soft);
            shares[lane] = 1.0;
            unsettled[lane] = moves ? 1u : 0u;
        }
        if (lane < 4u) still_unsettled[lane] = 0u;
        barrier();
        // Soft edges end with an error that is theirs.
        if (soft == 0.0) search_share(part, moves, old_error);
        move_by_pulls(part, moves);
        for (uint i = max(part.begin, 1u); soft > 0.0 && moves && i < min(part.end, kVertices - 1u); ++i)
            former.values[former_index(part.column, i)].w += numbers[number_index(kPull, part.column, i)];
    }
}

#endif
