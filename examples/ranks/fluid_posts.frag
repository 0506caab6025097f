#version 460
// Round posts in three staggered columns, white on black.
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;

uniform Params {
    vec2 cells; //! doc size of the field
} params;

void main() {
    vec2 at = place * params.cells / params.cells.y; // the field is 1 high
    bool solid = false;
    for (int column = 0; column < 3; ++column) {
        vec2 first = vec2(0.42 + 0.3 * float(column), column == 1 ? 0.0 : 1.0 / 6.0);
        float beside = fract(3.0 * (at.y - first.y) + 0.5) - 0.5; // posts are a third apart
        solid = solid || length(vec2(at.x - first.x, beside / 3.0)) < 0.055;
    }
    color = vec4(vec3(solid ? 1.0 : 0.0), 1.0);
}
