    // The status of solver/poisson: `PoissonReport`, and what kernels keep there for themselves.
    uint status;            // see outcomes.glsl
    uint cycles;
    float rhs_norm;
    float first_residual;
    float last_residual;
    float rhs_mean;
    uint not_finite;
    uint unknown_cells;
    uint incompatible_rhs;  // 1: the right-hand side had a mean that nothing takes up
    float best_residual;
    uint stalled;           // looks in a row without a better residual
    float shift;            // what is taken off the right-hand side: its mean, or 0
    uint singular;          // nothing fixes the mean
    float reference;        // the norm that the tolerance is relative to
    float solution_sum;
    uint padding;
