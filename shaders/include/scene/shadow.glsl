// The lit share of a surface by a directional light's shadow map.
//
// Percentage-closer filtering over 3x3 texels, weighted by where the point lies between them, so
// that the edge moves smoothly (Reeves, Salesin and Cook, "Rendering antialiased shadows with depth
// maps", SIGGRAPH 1987). The point is moved off its surface by the width of the filter, which keeps
// the surface from shadowing itself. Points outside the map are lit.
float shadow(sampler2D map, mat4 light_view_projection, vec3 position, vec3 face_normal, vec3 light,
             float texel_size) {
    const float kFilterTexels = 2.0; // half the filter's width, with the slope's worst case
    float slope = sqrt(clamp(1.0 - dot(face_normal, light) * dot(face_normal, light), 0.0, 1.0));
    vec3 moved = position + face_normal * (kFilterTexels * slope * texel_size) +
                 light * (0.5 * texel_size);
    vec3 clip = (light_view_projection * vec4(moved, 1.0)).xyz; // orthographic: w is 1
    vec2 texel = (clip.xy * 0.5 + 0.5) * vec2(textureSize(map, 0)) - 0.5;
    ivec2 corner = ivec2(floor(texel)) - 1;
    vec2 part = texel - floor(texel);
    ivec2 last = textureSize(map, 0) - 1;
    if (any(lessThan(corner, ivec2(0))) || any(greaterThan(corner + 3, last)) || clip.z > 1.0)
        return 1.0;

    // Four texels at a time, looked up at the corner they share. The filter's weights fall to 0 at
    // its rim, which is 2 texels away from the point.
    vec4 near_far = vec4(1.0 - part, part);
    float lit = 0.0;
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 2; ++x) {
            vec2 shared_corner = vec2(corner + 2 * ivec2(x, y) + 1) / vec2(last + 1);
            vec4 unshadowed = vec4(greaterThanEqual(textureGather(map, shared_corner), clip.zzzz));
            vec2 weight_x = x == 0 ? vec2(near_far.x, 1.0) : vec2(1.0, near_far.z);
            vec2 weight_y = y == 0 ? vec2(near_far.y, 1.0) : vec2(1.0, near_far.w);
            // The gathered order is lower left, lower right, upper right, upper left.
            lit += dot(unshadowed, vec4(weight_x, weight_x.yx) * weight_y.yyxx);
        }
    return lit / 9.0;
}
