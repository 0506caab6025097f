// A transfer function: colours and opacities at numbers, straight in between, those of the ends
// beyond them.
#ifndef TRANSFER_POINTS
#define TRANSFER_POINTS

const uint kMaxPoints = 64u;

struct TransferPoints {
    uint count; // at least 1
    vec4 color[kMaxPoints];  // red, green, blue, opacity
    vec4 number[kMaxPoints]; // in x, ascending; two of one number make a jump
};

// At a jump: what is above it.
vec4 transfer_at(TransferPoints points, float number) {
    uint after = 0u;
    while (after < points.count && points.number[after].x <= number) ++after;
    if (after == 0u) return points.color[0];
    if (after == points.count) return points.color[after - 1u];
    float low = points.number[after - 1u].x;
    float high = points.number[after].x;
    return mix(points.color[after - 1u], points.color[after], (number - low) / (high - low));
}

#endif
