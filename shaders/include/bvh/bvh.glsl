// The data of a hierarchy: the C++ side is passes/bvh/bvh.hpp.
#ifndef BVH_BVH
#define BVH_BVH

// What a build found: `BvhStatus` of passes/bvh/bvh.hpp, member by member.
struct HierarchyStatus {
    uint root;       // where traversal begins, or kNoNode
    uint leaves;     // triangles in the hierarchy
    uint degenerate; // triangles that are not, by kind: see bvh/mesh_triangle.glsl
    uint not_finite;
    uint bad_index;
    uint largest_leaf; // triangles of the largest leaf
    uint nodes;        // interior nodes
    uint spoilt;       // triangles in leaves that have become such since the build
    float low[4];      // three numbers: the box of all triangles
    float high[4];
};

// References to nodes and leaves.
const uint kNoNode = 0xffffffffu;
const uint kLeafBit = 0x80000000u; // of a reference: the rest is the number of a leaf

// Binary nodes, four quads each: low corner and reference of the left child; its high corner and
// this node's parent (or kNoNode); low corner and reference of the right child; its high corner and
// the number of leaves below this node.
//
// Leaves, three quads each, one triangle: first vertex and the triangle's number in the mesh;
// second vertex and the node above (or kNoNode); third vertex and an unused word.

// Over instances there is a hierarchy of its own, whose nodes are binary ones; its leaves have the
// corners of an instance's box in the place of the first two vertices, and the instance's number in
// that of the triangle's. What is known of an instance, four quads: a row each of the inverse of the
// matrix of its transform, with a coordinate of where it moves the origin; the last has the root of
// its mesh, the first of the mesh's leaves (and kUnmoved, where the transform is none), how many,
// and a number of the host's.
const uint kInstanceQuads = 4u;
const uint kUnmoved = 0x80000000u;

// Heap nodes, two quads each: node 1 is the root, 2n and 2n + 1 are the children of n. Low corner
// of the node's own box, and its kind: 8 times the number of its triangles, 4 if it is a leaf, the
// axis that its children part along. High corner, and the first of its leaves.
const uint kHeapRoot = 1u;
const uint kHeapLeaf = 4u;
const uint kHeapInvalid = 0x80000001u; // for kind and first leaf: there is no such node

// Wide nodes: up to eight children whose boxes are told in steps of a grid of the node's own
// (H. Ylitie, T. Karras and S. Laine, "Efficient Incoherent Ray Traversal on GPUs Through
// Compressed Wide BVHs", HPG 2017). Six quads: the grid's origin and the exponents of its steps;
// references of the children, two quads, kNoNode where there is none; then, a byte a child, low
// corners x, y, z and high corners x, y, z, two words each.
//
// A child is at the place that its position has along the diagonals: bit 0, 1 and 2 of the place are
// set where it is on the far side along x, y and z. Places in order of `place ^ octant` are then
// about front to back for rays whose direction is negative along the axes of `octant`.
const uint kWideChildren = 8u;
const uint kWideQuads = 6u;

// A step of the grid: a power of two.
float step_of(uint exponent) {
    return uintBitsToFloat(exponent << 23u);
}

// Where step `steps` is: the product is exact.
float place_of(float origin, uint steps, float size) {
    precise float place = origin + float(steps) * size;
    return place;
}

#endif
