// Discrete Fourier transforms of a few numbers, in place and in natural order: value k becomes the sum
// over j of value j times exp(-2 pi i j k / radix). Radices that are no primes are split as a product:
// j = q a + b and k = c + p d make W^(jk) = W_p^(ac) W^(bc) W_q^(bd).
#include "complex.glsl"

const float kHalfRoot = 0.70710678118654752; // cos(pi / 4)
const float kCosine16 = 0.92387953251128674; // of 2 pi / 16
const float kSine16 = 0.38268343236508977;

void butterfly_2(inout vec2 a, inout vec2 b) {
    vec2 sum = a + b;
    b = a - b;
    a = sum;
}

void butterfly_3(inout vec2 a, inout vec2 b, inout vec2 c) {
    const float kSine3 = 0.86602540378443865;
    vec2 sum = b + c;
    vec2 turned = times_minus_i(kSine3 * (b - c));
    vec2 middle = a - 0.5 * sum;
    a += sum;
    b = middle + turned;
    c = middle - turned;
}

void butterfly_4(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d) {
    vec2 even_sum = a + c;
    vec2 even_difference = a - c;
    vec2 odd_sum = b + d;
    vec2 odd_difference = times_minus_i(b - d);
    a = even_sum + odd_sum;
    b = even_difference + odd_difference;
    c = even_sum - odd_sum;
    d = even_difference - odd_difference;
}

void butterfly_5(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e) {
    const float kCosine1 = 0.30901699437494742; // of 2 pi / 5
    const float kCosine2 = -0.80901699437494742;
    const float kSine1 = 0.95105651629515357;
    const float kSine2 = 0.58778525229247313;
    vec2 outer_sum = b + e;
    vec2 inner_sum = c + d;
    vec2 outer_difference = times_minus_i(b - e);
    vec2 inner_difference = times_minus_i(c - d);
    vec2 middle1 = a + kCosine1 * outer_sum + kCosine2 * inner_sum;
    vec2 middle2 = a + kCosine2 * outer_sum + kCosine1 * inner_sum;
    vec2 turned1 = kSine1 * outer_difference + kSine2 * inner_difference;
    vec2 turned2 = kSine2 * outer_difference - kSine1 * inner_difference;
    a += outer_sum + inner_sum;
    b = middle1 + turned1;
    c = middle2 + turned2;
    d = middle2 - turned2;
    e = middle1 - turned1;
}

void butterfly_7(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e, inout vec2 f,
                 inout vec2 g) {
    const float kCosine1 = 0.62348980185873353; // of 2 pi / 7
    const float kCosine2 = -0.22252093395631440;
    const float kCosine3 = -0.90096886790241913;
    const float kSine1 = 0.78183148246802981;
    const float kSine2 = 0.97492791218182361;
    const float kSine3 = 0.43388373911755812;
    vec2 sum1 = b + g;
    vec2 sum2 = c + f;
    vec2 sum3 = d + e;
    vec2 difference1 = times_minus_i(b - g);
    vec2 difference2 = times_minus_i(c - f);
    vec2 difference3 = times_minus_i(d - e);
    vec2 middle1 = a + kCosine1 * sum1 + kCosine2 * sum2 + kCosine3 * sum3;
    vec2 middle2 = a + kCosine2 * sum1 + kCosine3 * sum2 + kCosine1 * sum3;
    vec2 middle3 = a + kCosine3 * sum1 + kCosine1 * sum2 + kCosine2 * sum3;
    vec2 turned1 = kSine1 * difference1 + kSine2 * difference2 + kSine3 * difference3;
    vec2 turned2 = kSine2 * difference1 - kSine3 * difference2 - kSine1 * difference3;
    vec2 turned3 = kSine3 * difference1 - kSine1 * difference2 + kSine2 * difference3;
    a += sum1 + sum2 + sum3;
    b = middle1 + turned1;
    c = middle2 + turned2;
    d = middle3 + turned3;
    e = middle3 - turned3;
    f = middle2 - turned2;
    g = middle1 - turned1;
}

void swap(inout vec2 a, inout vec2 b) {
    vec2 kept = a;
    a = b;
    b = kept;
}

// 3 x 2.
void butterfly_6(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e, inout vec2 f) {
    butterfly_3(a, c, e);
    butterfly_3(b, d, f);
    d = times(d, vec2(0.5, -0.86602540378443865));
    f = times(f, vec2(-0.5, -0.86602540378443865));
    butterfly_2(a, b);
    butterfly_2(c, d);
    butterfly_2(e, f);
    // Now 0 3 1 4 2 5.
    vec2 third = b;
    b = c;
    c = e;
    e = d;
    d = third;
}

// 4 x 2.
void butterfly_8(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e, inout vec2 f,
                 inout vec2 g, inout vec2 h) {
    butterfly_4(a, c, e, g);
    butterfly_4(b, d, f, h);
    d = kHalfRoot * (d + times_minus_i(d));
    f = times_minus_i(f);
    h = kHalfRoot * (times_minus_i(h) - h);
    butterfly_2(a, b);
    butterfly_2(c, d);
    butterfly_2(e, f);
    butterfly_2(g, h);
    // Now 0 4 1 5 2 6 3 7.
    vec2 fourth = b;
    b = c;
    c = e;
    e = fourth;
    vec2 fifth = d;
    d = g;
    g = f;
    f = fifth;
}

// 3 x 3.
void butterfly_9(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e, inout vec2 f,
                 inout vec2 g, inout vec2 h, inout vec2 i) {
    const vec2 kRoot1 = vec2(0.76604444311897804, -0.64278760968653933);
    const vec2 kRoot2 = vec2(0.17364817766693035, -0.98480775301220806);
    const vec2 kRoot4 = vec2(-0.93969262078590838, -0.34202014332566873);
    butterfly_3(a, d, g);
    butterfly_3(b, e, h);
    butterfly_3(c, f, i);
    e = times(e, kRoot1);
    h = times(h, kRoot2);
    f = times(f, kRoot2);
    i = times(i, kRoot4);
    butterfly_3(a, b, c);
    butterfly_3(d, e, f);
    butterfly_3(g, h, i);
    swap(b, d);
    swap(c, g);
    swap(f, h);
}

// 5 x 2.
void butterfly_10(inout vec2 a, inout vec2 b, inout vec2 c, inout vec2 d, inout vec2 e, inout vec2 f,
                  inout vec2 g, inout vec2 h, inout vec2 i, inout vec2 j) {
    const float kCosine1 = 0.80901699437494742; // of 2 pi / 10
    const float kCosine2 = 0.30901699437494742;
    const float kSine1 = 0.58778525229247313;
    const float kSine2 = 0.95105651629515357;
    butterfly_5(a, c, e, g, i);
    butterfly_5(b, d, f, h, j);
    d = times(d, vec2(kCosine1, -kSine1));
    f = times(f, vec2(kCosine2, -kSine2));
    h = times(h, vec2(-kCosine2, -kSine2));
    j = times(j, vec2(-kCosine1, -kSine1));
    butterfly_2(a, b);
    butterfly_2(c, d);
    butterfly_2(e, f);
    butterfly_2(g, h);
    butterfly_2(i, j);
    // Now 0 5 1 6 2 7 3 8 4 9.
    vec2 at1 = c;
    vec2 at2 = e;
    vec2 at3 = g;
    vec2 at4 = i;
    vec2 at5 = b;
    vec2 at6 = d;
    vec2 at7 = f;
    vec2 at8 = h;
    b = at1;
    c = at2;
    d = at3;
    e = at4;
    f = at5;
    g = at6;
    h = at7;
    i = at8;
}
