// One step of a sorting network, on each channel apart: the lesser values to `a`.
void exchange(inout vec4 a, inout vec4 b) {
    vec4 lesser = min(a, b);
    b = max(a, b);
    a = lesser;
}
