    uint events[5]; // densities and speeds clamped, cells and forces not finite, steps held at min_dt
    float elapsed;  // where steps adapt, time units of this execution
    uint fastest[3]; // likewise, as the bits of floats: the greatest speed along an axis before a
                     // step, that after it, and the one that the step clears for the next
