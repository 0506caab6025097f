#include "passes/hair/detail.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace tuff::passes {
namespace {

/// A step through all strands that comes to each once, and after any number of them has left no
/// wide gap: multiples of the golden ratio (Sos 1958, the three-distance theorem).
std::uint32_t golden_stride(std::uint32_t count) {
    auto stride = static_cast<std::uint32_t>(std::lround(count / std::numbers::phi));
    while (std::gcd(stride, count) != 1)
        ++stride;
    return stride;
}

} // namespace

ThinnedHair thinned_hair(const DetailParameters& detail, std::uint32_t count, glm::vec3 eye) {
    if (!detail.thins || count == 0) return {.drawn = count};
    const double away = glm::distance(glm::dvec3(eye), glm::dvec3(detail.center));
    const auto near = static_cast<double>(detail.distance);
    const double share =
        away > near ? std::max(near / away, static_cast<double>(detail.least)) : 1.0;
    const auto drawn = static_cast<std::uint32_t>(std::ceil(share * count));
    ThinnedHair thinned{.drawn = std::clamp(drawn, 1u, count), .stride = golden_stride(count)};
    thinned.widening =
        static_cast<float>(static_cast<double>(count) / static_cast<double>(thinned.drawn));
    return thinned;
}

} // namespace tuff::passes
