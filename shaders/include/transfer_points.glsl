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

// The points that are looked up, in shared memory: handed to a function, each invocation would have
// a copy of all of them. One colour more than the points have: glslang would give arrays of one size
// one type, whose layout shared memory must not have.
shared vec4 transfer_colors[kMaxPoints + 1u];
shared float transfer_numbers[kMaxPoints];

// Once for each point, before a barrier.
void keep_transfer_point(uint index, vec4 color, float number) {
    transfer_colors[index] = color;
    transfer_numbers[index] = number;
}

// Of so many points. At a jump: what is above it.
vec4 transfer_at(uint count, float number) {
    uint after = 0u;
    while (after < count && transfer_numbers[after] <= number) ++after;
    if (after == 0u) return transfer_colors[0];
    if (after == count) return transfer_colors[count - 1u];
    float low = transfer_numbers[after - 1u];
    float high = transfer_numbers[after];
    return mix(transfer_colors[after - 1u], transfer_colors[after], (number - low) / (high - low));
}

#endif
