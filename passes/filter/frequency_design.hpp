#pragma once

#include "passes/filter/kernel_design.hpp"

/// Kernels that are ideal in the frequency domain: sampled there, transformed back, cut.
namespace tuff::passes {

/// Knutsson's lognormal band, 1 at `frequency`, a half at `octaves` / 2 above and below it:
/// exp(-4 ln^2(rho / frequency) / (octaves^2 ln 2)).
double lognormal_band(double rho, double frequency, double octaves);

/// What leads a band of this centre to 0 before the frequencies end: 1 up to pi / 2, or to the
/// centre if that is more, cos^2 down to 0 at 1.2 pi. Where a band is cut at pi its kernel is
/// wide, and a small one has waves all over its response.
double led_to_zero(double rho, double frequency);

/// The low pass of adaptive filters: cos^2, a half at `frequency`, 0 from twice that on.
double adaptive_lowpass(double rho, double frequency);

/// How many numbers the spectrum has that a kernel of this size is made of.
std::uint64_t design_grid_count(const FilterSize& size);

/// Quadrature filters Q(u) = R(|u|) (u n / |u|)^2 where u n > 0, else 0: for each direction of
/// `chosen` the even part, then the odd part, twice the real and imaginary part of the inverse
/// transform. So the pair answers a wave of amplitude A and frequency u with A Q(u) cos and A Q(u)
/// sin. The even part sums to 0, and Q is 1 at `frequency` along the direction.
KernelSet quadrature_kernels(const KernelDesign& design, const std::vector<std::uint32_t>& chosen);

/// The monomials R u_i / |u| (odd), then R u_i u_j / |u|^2 for i <= j (even).
KernelSet monomial_kernels(const KernelDesign& design);

/// The low pass L, then (1 - L) u_i u_j / |u|^2 for i <= j. L and the monomials of i = j sum to
/// the identity, whatever the window.
KernelSet adaptive_kernels(const KernelDesign& design);

} // namespace tuff::passes
