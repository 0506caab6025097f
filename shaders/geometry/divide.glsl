// Quotients rounded as IEEE 754 has it, so that pixels and depths are the same bits everywhere. Devices
// may be off by 2.5 units in the last place (GPUs are); two fused steps from there make it right
// (P. Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", 1990).
// Where multiply-add is not fused (SwiftShader) the quotient is right at once. Numbers whose reciprocal
// or remainder overflows or is denormal are left as they are.
#ifndef RASTER_DIVIDE
#define RASTER_DIVIDE

// Whether fma rounds once: `one` is 1, but no compiler may know.
bool fma_is_fused(float one) {
    precise float x = one + 0.000244140625; // 2^-12: the square has 25 bits
    precise float square = x * x;
    precise float rest = fma(x, x, -square);
    return rest != 0.0;
}

float divide(float a, float b, bool fused) {
    precise float quotient = a / b;
    precise float start = 1.0 / b;
    precise float short_of_one = fma(-b, start, 1.0);
    precise float reciprocal = fma(short_of_one, start, start);
    precise float rest = fma(-quotient, b, a);
    precise float better = fma(rest, reciprocal, quotient);
    bool usable = abs(better) < 1e30 && abs(better) > 1e-30; // no NaN either
    return fused && usable ? better : quotient;
}

// By a number that all compilers know to be something: the number of pixels in a row is one or more.
bool divides_by_fma(uvec2 size) {
    return fma_is_fused(float(min(size.x, 1u)));
}
#endif
