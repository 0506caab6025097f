// (1 - exp(-x)) / x for x >= 0, where `fade` is exp(-x). The formula itself loses all digits near
// 0: below 1 it is the series sum of (-x)^n / (n + 1)!, whose first left-out term is less than 3e-8.
vec3 mean_fade(vec3 x, vec3 fade) {
    vec3 series = vec3(1.0 / 3628800.0);
    series = 1.0 / 362880.0 - x * series;
    series = 1.0 / 40320.0 - x * series;
    series = 1.0 / 5040.0 - x * series;
    series = 1.0 / 720.0 - x * series;
    series = 1.0 / 120.0 - x * series;
    series = 1.0 / 24.0 - x * series;
    series = 1.0 / 6.0 - x * series;
    series = 0.5 - x * series;
    series = 1.0 - x * series;
    vec3 formula = (1.0 - fade) / max(x, vec3(0.5));
    return mix(formula, series, lessThan(x, vec3(1.0)));
}
