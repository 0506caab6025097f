// Triangles that stand for boxes, of which bvh/lbvh_build makes a hierarchy.

// A triangle with this box: two opposite corners, and one along the longest side, so that it has an
// area wherever a triangle with the box has one.
vec3[3] box_triangle(vec3 low, vec3 high) {
    vec3 size = high - low;
    vec3 third = low;
    if (size.x >= size.y && size.x >= size.z) third.x = high.x;
    else if (size.y >= size.z) third.y = high.y;
    else third.z = high.z;
    return vec3[](low, high, third);
}
