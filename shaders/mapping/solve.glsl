// A symmetric positive semidefinite system of six unknowns, by Gauss and Jordan with diagonal pivots. A group
// of 64 invocations or more solves it together.
#ifndef MAPPING_SOLVE
#define MAPPING_SOLVE

const uint kUnknowns = 6u;
const uint kColumns = 7u; // the last one is the right side

shared float system[kUnknowns * kColumns];
shared float solution[kUnknowns];
shared uint unsolved;

// Solves what `system` holds into `solution`, and counts unknowns that the others leave undetermined: their
// pivots are no greater than `least`. These are 0. All invocations of the group call it, after a barrier.
void solve_system(uint lane, float least) {
    uint row = lane / kColumns;
    uint column = lane % kColumns;
    bool works = lane < kUnknowns * kColumns;
    uint used = 0u; // bits of unknowns, the same in all invocations
    for (uint step = 0u; step < kUnknowns; ++step) {
        uint pivot = kUnknowns;
        float greatest = least;
        for (uint i = 0u; i < kUnknowns; ++i) {
            float diagonal = system[i * kColumns + i];
            if ((used >> i & 1u) == 0u && diagonal > greatest) {
                greatest = diagonal;
                pivot = i;
            }
        }
        float value = 0.0;
        if (works && pivot < kUnknowns) {
            float own = system[lane];
            float in_pivot_row = system[pivot * kColumns + column] / greatest;
            value = row == pivot ? in_pivot_row : own - system[row * kColumns + pivot] * in_pivot_row;
        }
        barrier();
        if (works && pivot < kUnknowns) system[lane] = value;
        if (pivot < kUnknowns) used |= 1u << pivot;
        barrier();
    }
    if (lane < kUnknowns) solution[lane] = (used >> lane & 1u) != 0u ? system[lane * kColumns + kUnknowns] : 0.0;
    if (lane == 0u) unsolved = kUnknowns - uint(bitCount(used));
    barrier();
}

#endif
