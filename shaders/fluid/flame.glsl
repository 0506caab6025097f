// The colour of a flame of some heat: red, orange, nearly white.
vec3 flame_color(float heat) {
    return vec3(3.0, 1.1, 0.35) * heat * heat * smoothstep(vec3(0.0, 0.15, 0.45), vec3(0.6, 1.1, 1.6), vec3(heat));
}
