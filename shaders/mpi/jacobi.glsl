// What the kernels of mpi/poisson know of a cell and its neighbours.
#ifndef JACOBI
#define JACOBI

#if VOLUME
uniform sampler3D solution;
uniform sampler3D source;
#else
uniform sampler2D solution;
uniform sampler2D source;
#endif
const int kAxes = VOLUME == 1 ? 3 : 2;
const uint kAllFaces = 63u;
#if CELLS
#include "kinds.glsl"
readonly buffer Faces { uint bits[]; } faces; // a word for each texel
uint faces_at(ivec3 texel, ivec3 size) {
    return faces.bits[texel.x + size.x * (texel.y + size.y * texel.z)];
}
#endif

// Where a rank's part lies in the field.
struct PartPlace {
    ivec3 halo;      // texels beside the part
    ivec3 first;     // first cell of the part
    ivec3 cells;     // of the whole field
    ivec3 dirichlet; // 1: the solution is 0 at both ends of the axis
};

bool lies_in_part(PartPlace part, ivec3 texel, ivec3 size) {
    return all(greaterThanEqual(texel, part.halo)) && all(lessThan(texel, size - part.halo));
}

// Whether a neighbour of the cell is in the halo.
bool touches_halo(PartPlace part, ivec3 texel, ivec3 size) {
    ivec3 margin = part.halo + min(part.halo, ivec3(1)); // no halo along z in pictures
    return any(lessThan(texel, margin)) || any(greaterThanEqual(texel, size - margin));
}

// Whether the solution is 0 halfway to the neighbour: then that has the cell's value, negative.
bool mirrors(PartPlace part, ivec3 texel, int axis, int side) {
    int cell = part.first[axis] + texel[axis] - part.halo[axis] + side;
    return part.dirichlet[axis] != 0 && (cell < 0 || cell >= part.cells[axis]);
}

#if VOLUME
float solution_at(ivec3 texel) { return texelFetch(solution, texel, 0).r; }
float source_at(ivec3 texel) { return texelFetch(source, texel, 0).r; }
#else
float solution_at(ivec3 texel) { return texelFetch(solution, texel.xy, 0).r; }
float source_at(ivec3 texel) { return texelFetch(source, texel.xy, 0).r; }
#endif

// The sum of the neighbours of a cell whose own value is `middle`, each times the coupling along its
// axis. Beyond faces that are not `open` there is the same value: nothing goes through.
float sum_around(PartPlace part, ivec3 texel, float middle, vec3 coupling, uint open) {
    precise float sum = 0.0;
    for (int axis = 0; axis < kAxes; ++axis) {
        precise float both = 0.0;
        for (int side = -1; side <= 1; side += 2) {
            ivec3 other = texel;
            other[axis] += side;
#if CELLS
            if ((open & face_bit(axis, (side + 1) / 2)) == 0u) {
                both += middle;
                continue;
            }
#endif
            both += mirrors(part, texel, axis, side) ? -middle : solution_at(other);
        }
        sum += coupling[axis] * both;
    }
    return sum;
}

// What the cell itself is multiplied by.
float diagonal(vec3 coupling) {
    float sum = coupling.x + coupling.y;
    if (kAxes == 3) sum += coupling.z;
    return 2.0 * sum;
}

#endif
