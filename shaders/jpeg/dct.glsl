// The cosine transform of eight values. `precise`: every device rounds alike, so all write the same file.

// Arai, Agui and Nakajima's factorisation: coefficient k is scale_of(k) of passes/jpeg/encode.cpp times
// what the definition says.
void transform_fast(inout float v[8]) {
    precise float s07 = v[0] + v[7], d07 = v[0] - v[7];
    precise float s16 = v[1] + v[6], d16 = v[1] - v[6];
    precise float s25 = v[2] + v[5], d25 = v[2] - v[5];
    precise float s34 = v[3] + v[4], d34 = v[3] - v[4];

    precise float outer = s07 + s34, inner = s16 + s25;
    precise float rest = s07 - s34;
    precise float turned = (s16 - s25 + rest) * 0.707106781;
    v[0] = outer + inner;
    v[4] = outer - inner;
    v[2] = rest + turned;
    v[6] = rest - turned;

    precise float a = d34 + d25, b = d25 + d16, c = d16 + d07;
    precise float shared_part = (a - c) * 0.382683433;
    precise float low = a * 0.541196100 + shared_part;
    precise float high = c * 1.306562965 + shared_part;
    precise float middle = b * 0.707106781;
    precise float plus = d07 + middle, minus = d07 - middle;
    v[5] = minus + low;
    v[3] = minus - low;
    v[1] = plus + high;
    v[7] = plus - high;
}

// Half the cosine of k * pi / 16.
const float kHalfCosine[9] = float[](0.5, 0.490392640, 0.461939766, 0.415734806, 0.353553391, 0.277785117,
                                     0.191341716, 0.0975451610, 0.0);

// cos((2 j + 1) k pi / 16) / 2, of k = 0 that times 1 / sqrt(2).
float basis(uint k, uint j) {
    if (k == 0u) return kHalfCosine[4];
    uint angle = (2u * j + 1u) * k % 32u; // of 32 to a turn
    angle = min(angle, 32u - angle);
    return angle <= 8u ? kHalfCosine[angle] : -kHalfCosine[16u - angle];
}

// By the definition: a product with the matrix of the transform.
void transform_by_matrix(inout float v[8]) {
    float result[8];
    for (uint k = 0u; k < 8u; ++k) {
        precise float sum = 0.0;
        for (uint j = 0u; j < 8u; ++j) sum = sum + basis(k, j) * v[j];
        result[k] = sum;
    }
    v = result;
}
