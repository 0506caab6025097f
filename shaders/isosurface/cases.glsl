// What a cell's surface is, by which of its corners are inside and which of its ambiguous faces join
// their inner corners. passes/isosurface/cases.cpp derives the table.
#ifndef ISOSURFACE_CASES
#define ISOSURFACE_CASES

// x: where its triangles begin, 16 bits; how many they are, 4; whether they need the vertex in the
//    middle, 1; loops, 3; the face on which one loop is met twice, plus one, 3
// y: the loop of each edge, 2 bits each
readonly buffer CellCases { uvec2 entries[]; } cell_cases;

uvec2 cell_case(uint inside, uint joined) {
    return cell_cases.entries[joined << 8 | inside];
}

uint triangles_of(uvec2 entry) {
    return entry.x >> 16 & 15u;
}

uint centres_of(uvec2 entry) {
    return entry.x >> 20 & 1u;
}

uint loops_of(uvec2 entry) {
    return entry.x >> 21 & 7u;
}

// 0: none.
uint doubled_face(uvec2 entry) {
    return entry.x >> 24;
}

uint loop_of(uvec2 entry, uint edge) {
    return entry.y >> 2u * edge & 3u;
}

// Three edges of 4 bits each; 12 stands for the vertex in the middle.
readonly buffer CaseTriangles { uint edges[]; } case_triangles;

const uint kCentre = 12u;

uvec3 case_triangle(uvec2 entry, uint which) {
    uint edges = case_triangles.edges[(entry.x & 0xffffu) + which];
    return uvec3(edges, edges >> 4, edges >> 8) & 15u;
}

#endif
