#pragma once

#include <glm/vec3.hpp>

#include <cstddef>
#include <span>
#include <vector>

/// Moment-based transparency by its formulas in long double.
namespace tuff::reference {

using Numbers = std::vector<long double>;

/// What absorbs light at a place from -1 to 1.
struct Absorber {
    double place = 0;
    double alpha = 0;
    glm::dvec3 color{0.0};
};

/// The sums of optical depth times powers of the place, from the 0th to the `most`-th.
Numbers moments_of(std::span<const Absorber> all, std::size_t most);

/// Moments that surely are something's, and how much of them is mixed in.
struct Bias {
    long double share = 0.0L;
    Numbers moments; ///< from the 0th on
};

Bias bias_of(std::size_t most);

/// Whether moments, mixed with a share of those of the bias, are a distribution's: their Hankel
/// matrix is positive, as the pivots of its elimination are.
bool are_those_of_something(const Numbers& rounded, Bias bias, long double share);

/// Layers over a background by `most` moments: each counts as much as comes through to it.
glm::dvec3 blended_by_moments(std::span<const Absorber> all, glm::dvec3 background, double share,
                              std::size_t most = 4);

} // namespace tuff::reference
