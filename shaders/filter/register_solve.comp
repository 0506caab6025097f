#version 460
// Solves the equations of each number, adds the solution to the field, and weighs the sum by the
// certainty, the trace of A: for a smoothing that lets certain numbers speak for uncertain ones.
//
// The result has arrays one behind the other: the weighted field by axis, then the certainty.

layout(local_size_x = 256) in;
#include "invocation.glsl"

readonly buffer Equations { float values[]; } equations;
readonly buffer Field { float values[]; } field;
writeonly buffer Result { float values[]; } result;

uniform Params {
    uint axes;
    uint count;
    float limit; // the longest step
} params;

const float kDamping = 0.02; // of the mean of A's diagonal: directions that nothing says anything about

// Symmetric and positive: by Cholesky's factors.
vec3 solved(mat3 a, vec3 b, uint n) {
    for (uint i = 0u; i < n; ++i) {
        for (uint j = 0u; j <= i; ++j) {
            float sum = a[i][j];
            for (uint k = 0u; k < j; ++k)
                sum -= a[i][k] * a[j][k];
            a[i][j] = i == j ? sqrt(max(sum, 1e-30)) : sum / a[j][j];
        }
    }
    for (uint i = 0u; i < n; ++i) {
        for (uint k = 0u; k < i; ++k)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (uint i = n; i-- > 0u;) {
        for (uint k = i + 1u; k < n; ++k)
            b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
    return b;
}

void main() {
    uint index = invocation_index();
    if (index >= params.count) return;
    mat3 a = mat3(0.0);
    vec3 b = vec3(0.0);
    float certainty = 0.0;
    uint entry = 0u;
    for (uint i = 0u; i < params.axes; ++i)
        for (uint j = i; j < params.axes; ++j) {
            float value = equations.values[entry++ * params.count + index];
            a[j][i] = value; // the lower triangle, as a[row][column]
            if (i == j) certainty += value;
        }
    for (uint i = 0u; i < params.axes; ++i) {
        b[i] = equations.values[(entry + i) * params.count + index];
        a[i][i] += kDamping * certainty / float(params.axes);
    }
    vec3 step = vec3(0.0);
    if (certainty > 1e-20) step = solved(a / certainty, b / certainty, params.axes);
    step = clamp(step, vec3(-params.limit), vec3(params.limit));
    certainty = max(certainty, 0.0);
    for (uint i = 0u; i < params.axes; ++i) {
        uint at = i * params.count + index;
        result.values[at] = certainty * (field.values[at] + step[i]);
    }
    result.values[params.axes * params.count + index] = certainty;
}
