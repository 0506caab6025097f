// Signed integers of 64 bits as two words, x the lower one: no device has to have them.

uvec2 wide(int value) {
    return uvec2(uint(value), uint(value >> 31));
}

bool is_negative(uvec2 a) {
    return int(a.y) < 0;
}

uvec2 add(uvec2 a, uvec2 b) {
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

uvec2 subtract(uvec2 a, uvec2 b) {
    uint borrow;
    uint low = usubBorrow(a.x, b.x, borrow);
    return uvec2(low, a.y - b.y - borrow);
}

uvec2 negate(uvec2 a) {
    return subtract(uvec2(0u), a);
}

// The product, which needs no more than 64 bits.
uvec2 multiply(int a, int b) {
    int high;
    int low;
    imulExtended(a, b, high, low);
    return uvec2(uint(low), uint(high));
}

uvec2 multiply(uvec2 a, int b) {
    uint high;
    uint low;
    umulExtended(a.x, uint(b), high, low);
    high += a.y * uint(b);
    // As an unsigned number, a negative b is 2^32 too large.
    if (b < 0) high -= a.x;
    return uvec2(low, high);
}

// The greatest integer that is no more than a / 256.
uvec2 divide_by_256(uvec2 a) {
    return uvec2(a.x >> 8u | a.y << 24u, uint(int(a.y) >> 8));
}

// With a relative error below 2^-22.
float to_float(uvec2 a) {
    uvec2 size = is_negative(a) ? negate(a) : a;
    float value = float(size.y) * 4294967296.0 + float(size.x);
    return is_negative(a) ? -value : value;
}

int sign_of(uvec2 a) {
    return is_negative(a) ? -1 : int((a.x | a.y) != 0u);
}

// Quotients beyond this, either way, are those of no voxel.
const float kMaxQuotient = 4096.0;

// The greatest integer that is no more than a / b, for b > 0; beyond kMaxQuotient some number that
// is no closer to zero.
int floor_divide(uvec2 a, uvec2 b) {
    int q = int(floor(clamp(to_float(a) / to_float(b), -kMaxQuotient, kMaxQuotient)));
    // The quotient's error is less than one.
    uvec2 rest = subtract(a, multiply(b, q));
    if (is_negative(rest)) return q - 1;
    return is_negative(subtract(rest, b)) ? q : q + 1;
}

int floor_divide(uvec2 a, int b) {
    return floor_divide(a, wide(b));
}

// Likewise, for |a| and b below 2^30.
int floor_divide(int a, int b) {
    int q = int(floor(clamp(float(a) / float(b), -kMaxQuotient, kMaxQuotient)));
    if (abs(q) >= int(kMaxQuotient) - 1) return q; // q * b might overflow
    int rest = a - q * b;
    return rest < 0 ? q - 1 : rest >= b ? q + 1 : q;
}

// The whole numbers of an interval, x to y, for which slope * n + base >= 0.

void bound(inout ivec2 interval, int slope, int base) {
    if (slope == 0) {
        if (base < 0) interval.y = interval.x - 1;
        return;
    }
    int q = floor_divide(base, abs(slope));
    if (slope > 0) interval.x = max(interval.x, -q);
    else interval.y = min(interval.y, q);
}

void bound(inout ivec2 interval, int slope, uvec2 base) {
    if (slope == 0) {
        if (is_negative(base)) interval.y = interval.x - 1;
        return;
    }
    int q = floor_divide(base, abs(slope));
    if (slope > 0) interval.x = max(interval.x, -q);
    else interval.y = min(interval.y, q);
}

void bound(inout ivec2 interval, uvec2 slope, uvec2 base) {
    int sense = sign_of(slope);
    if (sense == 0) {
        if (is_negative(base)) interval.y = interval.x - 1;
        return;
    }
    int q = floor_divide(base, sense < 0 ? negate(slope) : slope);
    if (sense > 0) interval.x = max(interval.x, -q);
    else interval.y = min(interval.y, q);
}
