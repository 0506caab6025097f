#pragma once

#include <cstdint>
#include <random>

namespace tuff {

/// Numbers in [0, 1) that are the same on every machine: the distributions of <random> are not.
class PortableRandom {
  public:
    explicit PortableRandom(std::uint32_t seed) : bits_(seed) {}
    double operator()() { return static_cast<double>(bits_() >> 8) * 0x1p-24; }
    double around(double middle, double spread) {
        return middle + spread * (2.0 * (*this)() - 1.0);
    }

  private:
    std::mt19937 bits_;
};

} // namespace tuff
