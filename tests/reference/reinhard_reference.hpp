#pragma once

#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/image.hpp>

/// Reinhard's operator on the CPU in double precision.
namespace tuff::reference {

struct Luminances {
    double log_average = 0.0; ///< the mean of the logarithms
    double maximum = 0.0;
};
Luminances luminances(const HostImage& picture);

/// Compares a result, not encoded, with that of `picture`; `white` 0 is that of the maximum.
void expect_reinhard(const HostImage& result, const HostImage& picture, double key, double white,
                     double tolerance);

} // namespace tuff::reference
