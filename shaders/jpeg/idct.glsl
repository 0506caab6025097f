// The inverse cosine transform in whole numbers: the algorithm of Loeffler, Ligtenberg and Moschytz
// (ICASSP 1989) with 13 bits of fraction, columns first, two more bits between the passes.
#ifndef JPEG_IDCT
#define JPEG_IDCT
const int kColumnShift = 11;
const int kRowShift = 18;

int[8] transformed_back(int v[8], int shift) {
    // The even part: a rotation of 2 and 6, sums of 0 and 4.
    int z = (v[2] + v[6]) * 4433;
    int e2 = z - v[6] * 15137;
    int e3 = z + v[2] * 6270;
    int e0 = (v[0] + v[4]) << 13;
    int e1 = (v[0] - v[4]) << 13;
    int even[4] = int[](e0 + e3, e1 + e2, e1 - e2, e0 - e3);

    // The odd part: four products are shared.
    int a = v[7] + v[3];
    int b = v[5] + v[1];
    int turn = (a + b) * 9633;
    a = turn - a * 16069;
    b = turn - b * 3196;
    int outer = -(v[7] + v[1]) * 7373;
    int inner = -(v[5] + v[3]) * 20995;
    int odd[4] = int[](v[1] * 12299 + outer + b, v[3] * 25172 + inner + a,
                       v[5] * 16819 + inner + b, v[7] * 2446 + outer + a);

    int half_step = 1 << (shift - 1);
    int result[8];
    for (int i = 0; i < 4; ++i) {
        result[i] = even[i] + odd[i] + half_step >> shift;
        result[7 - i] = even[i] - odd[i] + half_step >> shift;
    }
    return result;
}

// A row of the block, which has been around 0.
uvec2 packed_samples(int row[8]) {
    uvec2 packed = uvec2(0u);
    for (uint i = 0u; i < 8u; ++i)
        packed[i / 4u] |= uint(clamp(row[i] + 128, 0, 255)) << (i % 4u * 8u);
    return packed;
}
#endif
