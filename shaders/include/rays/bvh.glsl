// The data of a hierarchy: the C++ side is passes/bvh/bvh.hpp.

// Words of the status block.
const uint kStatusRoot = 0u;       // where traversal begins, or kNoNode
const uint kStatusLeaves = 1u;     // triangles in the hierarchy
const uint kStatusDegenerate = 2u; // triangles that are not, by kind: see rays/mesh_triangle.glsl
const uint kStatusNotFinite = 3u;
const uint kStatusBadIndex = 4u;
const uint kStatusLargestLeaf = 5u; // triangles of the largest leaf
const uint kStatusNodes = 6u;       // interior nodes
const uint kStatusLow = 8u;         // three floats: the box of all triangles
const uint kStatusHigh = 12u;       // three floats

// References to nodes and leaves.
const uint kNoNode = 0xffffffffu;
const uint kLeafBit = 0x80000000u; // of a reference: the rest is the number of a leaf

// Binary nodes, four quads each: low corner and reference of the left child; its high corner and
// this node's parent (or kNoNode); low corner and reference of the right child; its high corner and
// the number of leaves below this node.
//
// Leaves, three quads each, one triangle: first vertex and the triangle's number in the mesh;
// second vertex and the node above (or kNoNode); third vertex and an unused word.
