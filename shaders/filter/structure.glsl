// Tensors of local structure from filter responses, as matrices in the upper left corner of a mat4.
#ifndef FILTER_STRUCTURE
#define FILTER_STRUCTURE

// What the quadrature filter along n adds, whose even and odd response are q.
mat4 quadrature_part(vec2 q, vec4 n, float alpha, float beta) {
    return length(q) * (alpha * outerProduct(n, n) - beta * mat4(1.0));
}

// Of the monomials of first and second order: S = a a^T + B B^T, over the root of its norm, so that
// a wave of amplitude A gives A and not its square.
mat4 monomial_tensor(vec4 first, mat4 second) {
    mat4 s = outerProduct(first, first) + second * second; // B is its own transpose
    float norm = sqrt(dot(s[0], s[0]) + dot(s[1], s[1]) + dot(s[2], s[2]) + dot(s[3], s[3]));
    return norm > 0.0 ? s * inversesqrt(norm) : mat4(0.0);
}

#endif
