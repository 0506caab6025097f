// The part of space that pixels of a tile show between two distances, and what meets it.
#ifndef LIGHTS_CELL
#define LIGHTS_CELL

struct Cell {
    vec2 low;  // edges at distance 1; of orthographic cameras at any
    vec2 high;
    float near; // distances
    float far;
    float perspective; // 1, or 0
    vec2 low_norm;     // 1 / lengths of the normals of the sides
    vec2 high_norm;
};

// Of sides with these edges.
vec2 side_norms(vec2 edges, float perspective) {
    return inversesqrt(1.0 + perspective * edges * edges);
}

Cell make_cell(vec2 a, vec2 b, float near, float far, float perspective) {
    Cell cell;
    cell.low = min(a, b);
    cell.high = max(a, b);
    cell.near = near;
    cell.far = far;
    cell.perspective = perspective;
    cell.low_norm = side_norms(cell.low, perspective);
    cell.high_norm = side_norms(cell.high, perspective);
    return cell;
}

float width_at(Cell cell, float away) {
    return mix(1.0, away, cell.perspective);
}

// Whether a ball meets what is between two sides across an axis: their slopes, and factors of
// distances from them.
bool meets_axis(float place, float radius, float width, vec4 sides) {
    float below = (sides.x * width - place) * sides.z;
    float above = (place - sides.y * width) * sides.w;
    return max(below, above) < radius;
}

bool meets_sides(vec4 ball, Cell cell) {
    float w = width_at(cell, ball.z);
    return meets_axis(ball.x, ball.w, w,
                      vec4(cell.low.x, cell.high.x, cell.low_norm.x, cell.high_norm.x)) &&
           meets_axis(ball.y, ball.w, w,
                      vec4(cell.low.y, cell.high.y, cell.low_norm.y, cell.high_norm.y));
}

bool meets_depths(vec4 ball, Cell cell) {
    return cell.near - ball.z < ball.w && ball.z - cell.far < ball.w;
}

void box_of(Cell cell, out vec3 low, out vec3 high) {
    float w0 = width_at(cell, cell.near);
    float w1 = width_at(cell, cell.far);
    low = vec3(min(cell.low * w0, cell.low * w1), cell.near);
    high = vec3(max(cell.high * w0, cell.high * w1), cell.far);
}

bool meets_box(vec4 ball, Cell cell) {
    vec3 low, high;
    box_of(cell, low, high);
    vec3 away = max(max(low - ball.xyz, ball.xyz - high), vec3(0.0));
    return dot(away, away) < ball.w * ball.w;
}

// The square of the distance from `p` to the slice of the cell at a distance.
float squared_to_slice(vec3 p, Cell cell, float away) {
    float w = width_at(cell, away);
    vec2 beside = max(max(cell.low * w - p.xy, p.xy - cell.high * w), vec2(0.0));
    return dot(beside, beside) + (p.z - away) * (p.z - away);
}

// Exact. The square of the distance to slices is a convex function of where they are, made of
// parabolas that join without a kink: one for each set of sides that `p` is beyond. The least lies
// at the vertex of one of the nine, or at an end.
bool meets_cell(vec4 ball, Cell cell) {
    float least = 3.4e38;
    float flat_offset = 1.0 - cell.perspective;
    for (int i = 0; i < 9; ++i) {
        vec2 side = vec2(i % 3, i / 3);
        vec2 edge = mix(cell.low, cell.high, equal(side, vec2(2.0)));
        vec2 slope = edge * cell.perspective * vec2(notEqual(side, vec2(0.0)));
        float vertex = (ball.z + dot(slope, ball.xy - edge * flat_offset)) /
                       (1.0 + dot(slope, slope));
        least = min(least, squared_to_slice(ball.xyz, cell, clamp(vertex, cell.near, cell.far)));
    }
    return least < ball.w * ball.w;
}

// Whether a cone with a round end may meet a ball about the cell (Wronski, "Cull that cone!",
// 2017). `axis.w` is the cosine of the cone's half angle.
bool cone_meets(vec4 apex, vec4 axis, Cell cell) {
    if (axis.w <= 0.0) return true; // wider than a half space: the ball about it has said yes
    vec3 low, high;
    box_of(cell, low, high);
    float radius = 0.5 * distance(low, high);
    vec3 from_apex = 0.5 * (low + high) - apex.xyz;
    radius += 4e-6 * (length(from_apex) + radius);
    float along = dot(from_apex, axis.xyz);
    float beside = sqrt(max(dot(from_apex, from_apex) - along * along, 0.0));
    float sine = sqrt(max(1.0 - axis.w * axis.w, 0.0));
    bool outside = axis.w * beside - sine * along > radius + 1e-3 * length(from_apex);
    return !outside && along <= radius + apex.w && along >= -radius;
}

// How a tile is compared with balls.
const uint kPlanes = 0u;
const uint kBox = 1u;
const uint kBoth = 2u;

// For balls that are known to meet the sides, where these count.
bool meets_between(vec4 ball, Cell cell, uint test) {
    if (!meets_depths(ball, cell)) return false;
    if (test != kPlanes && !meets_box(ball, cell)) return false;
    return test <= kBoth || meets_cell(ball, cell);
}

bool meets(vec4 ball, Cell cell, uint test) {
    if (!(ball.w > 0.0) || (test != kBox && !meets_sides(ball, cell))) return false;
    return meets_between(ball, cell, test);
}

#endif
