// Where a straight contour runs through a texel.

// How far the middle of a unit square is from a line with this normal that cuts off the area
// `covered` of it.
float line_distance(vec2 normal, float covered) {
    vec2 n = abs(normal);
    float longer = max(n.x, n.y);
    float shorter = min(n.x, n.y);
    float corner = 0.5 * shorter / longer; // area of the triangle before the line meets a second corner
    if (covered < corner) return 0.5 * (longer + shorter) - sqrt(2.0 * longer * shorter * covered);
    if (covered < 1.0 - corner) return (0.5 - covered) * longer;
    return sqrt(2.0 * longer * shorter * (1.0 - covered)) - 0.5 * (longer + shorter);
}
