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
