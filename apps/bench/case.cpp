#include "apps/bench/case.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tuff::bench {

std::vector<std::byte> CaseResults::read_bytes(std::string_view output) {
    auto bytes = executor_->read_buffer(output);
    if (bytes) return std::move(*bytes);
    errors_.insert(errors_.end(), bytes.error().begin(), bytes.error().end());
    return {};
}

HostImage CaseResults::read_image(std::string_view output) {
    auto image = executor_->read_image(output);
    if (image) return std::move(*image);
    errors_.insert(errors_.end(), image.error().begin(), image.error().end());
    return {};
}

std::uint32_t CaseBuilder::side() const {
    auto side = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(size_)));
    while (side * side > size_)
        --side;
    while ((side + 1) * (side + 1) <= size_)
        ++side;
    return static_cast<std::uint32_t>(side);
}

Extent CaseBuilder::extent() const {
    const std::uint64_t size = std::max<std::uint64_t>(size_, 1);
    const auto log2 = static_cast<std::uint32_t>(std::bit_width(size)) - 1;
    const std::uint64_t width = std::uint64_t{1} << ((log2 + 1) / 2);
    return {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(size / width)};
}

} // namespace tuff::bench
