// Symmetric matrices of up to four rows, in the upper left corner of a mat4, and their eigenvalues.

// Makes `a` diagonal by rotations about pairs of its `n` axes (Jacobi); column k of `vectors`
// becomes the eigenvector of a[k][k]. `n` is a constant, so that loops are unrolled and the matrices
// stay in registers. Sweeps converge quadratically: six are more than enough for
// floats, and no input makes it run longer.
void diagonalize(inout mat4 a, out mat4 vectors, int n) {
    const int kSweeps = 6;
    vectors = mat4(1.0);
    [[dont_unroll]] for (int sweep = 0; sweep < kSweeps; ++sweep) {
        float off = 0.0;
        [[unroll]] for (int p = 0; p < n - 1; ++p)
            [[unroll]] for (int q = p + 1; q < n; ++q)
                off += abs(a[p][q]);
        if (off == 0.0) return;
        [[unroll]] for (int p = 0; p < n - 1; ++p)
            [[unroll]] for (int q = p + 1; q < n; ++q) {
                if (a[p][q] == 0.0) continue;
                float theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
                // The smaller root; 0 where theta is too large for a float.
                float t = (theta < 0.0 ? -1.0 : 1.0) / (abs(theta) + length(vec2(theta, 1.0)));
                float c = inversesqrt(t * t + 1.0);
                float s = t * c;
                [[unroll]] for (int k = 0; k < n; ++k) {
                    float kp = a[k][p];
                    float kq = a[k][q];
                    a[k][p] = c * kp - s * kq;
                    a[k][q] = s * kp + c * kq;
                }
                [[unroll]] for (int k = 0; k < n; ++k) {
                    float pk = a[p][k];
                    float qk = a[q][k];
                    a[p][k] = c * pk - s * qk;
                    a[q][k] = s * pk + c * qk;
                }
                a[p][q] = 0.0;
                a[q][p] = 0.0;
                vec4 before = vectors[p];
                vectors[p] = c * before - s * vectors[q];
                vectors[q] = s * before + c * vectors[q];
            }
    }
}

// Both eigenvalues of two rows in closed form; neither root nor direction loses digits where the
// matrix is nearly diagonal.
void diagonalize_two(inout mat4 a, out mat4 vectors) {
    float middle = 0.5 * (a[0][0] + a[1][1]);
    float difference = 0.5 * (a[0][0] - a[1][1]);
    float radius = length(vec2(difference, a[0][1]));
    vec2 along = difference >= 0.0 ? vec2(difference + radius, a[0][1])
                                   : vec2(a[0][1], radius - difference);
    along = radius > 0.0 ? normalize(along) : vec2(1.0, 0.0);
    a = mat4(0.0);
    a[0][0] = middle + radius;
    a[1][1] = middle - radius;
    vectors = mat4(1.0);
    vectors[0].xy = along;
    vectors[1].xy = vec2(-along.y, along.x);
}

// Eigenvalues in descending order, those beyond `n` rows 0, and their vectors.
void eigen(mat4 a, int n, out vec4 values, out mat4 vectors) {
    if (n == 2)
        diagonalize_two(a, vectors);
    else
        diagonalize(a, vectors, n);
    values = vec4(0.0);
    [[unroll]] for (int k = 0; k < n; ++k)
        values[k] = a[k][k];
    [[unroll]] for (int k = 0; k < n - 1; ++k)
        [[unroll]] for (int j = k + 1; j < n; ++j)
            if (values[j] > values[k]) {
                float value = values[k];
                values[k] = values[j];
                values[j] = value;
                vec4 column = vectors[k];
                vectors[k] = vectors[j];
                vectors[j] = column;
            }
}
