// Conjugate residuals: how far to go, and along what.
struct CrStep {
    float share;  // of the former direction in the new one
    float step_;  // along the new direction
    float square; // of the new direction's image
};

// `products`: of the preconditioned residual's image with the former direction's image, with itself
// and with the residual. `former`: the square of the former direction's image; 0: there is none.
CrStep cr_step(vec3 products, float former) {
    const float kRounding = 1e-4; // less of an image is left by rounding where it is along the former
    CrStep s;
    s.share = former > 0.0 ? -products.x / former : 0.0;
    s.square = products.y + s.share * products.x;
    if (!(s.square > kRounding * products.y)) {
        s.share = 0.0;
        s.square = products.y;
    }
    s.step_ = s.square > 0.0 ? products.z / s.square : 0.0;
    return s;
}
