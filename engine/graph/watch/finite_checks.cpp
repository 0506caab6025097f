#include "graph/watch/finite_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tuff {
namespace {

std::string place_in(const CheckedTexels& texels, std::uint32_t index) {
    const std::uint64_t texel = std::uint64_t{texels.first} + index / 4;
    const std::uint64_t row = texel / texels.extent.width;
    const std::uint64_t x = texel % texels.extent.width;
    const std::uint64_t y = row % texels.extent.height;
    const std::uint64_t z = row / texels.extent.height;
    std::string place = texels.extent.depth > 1 && !texels.layered
                            ? fmt::format("texel ({}, {}, {})", x, y, z)
                            : fmt::format("texel ({}, {})", x, y);
    if (texels.layered) place += fmt::format(" of layer {}", texels.first_layer + z);
    if (texels.has_mips) place += fmt::format(" of mip {}", texels.mip);
    return place + fmt::format(", channel {}", "rgba"[index % 4]);
}

std::string place_in(const CheckedElements& checked, std::uint32_t index) {
    const std::uint32_t numbers = checked.elements.numbers();
    std::uint32_t number = index % numbers;
    std::string place =
        checked.is_array ? fmt::format("element {}", checked.first + index / numbers) : "";
    for (const StoredNumbers& member : checked.elements.members) {
        if (number >= member.count) {
            number -= member.count;
            continue;
        }
        if (!member.name.empty())
            place += fmt::format("{}member '{}'", place.empty() ? "" : ", ", member.name);
        if (member.count > 1) place += fmt::format(", component {}", number);
        break;
    }
    return place;
}

} // namespace

Diagnostics FiniteChecks::read(std::span<const std::uint32_t> words) const {
    Diagnostics result;
    if (!skipped_.empty()) {
        constexpr std::size_t kShown = 4;
        const auto shown = std::span(skipped_).first(std::min(skipped_.size(), kShown));
        result.push_back(
            {.code = "graph/watch-skipped",
             .severity = Severity::note,
             .message =
                 fmt::format("{} not watched, because the kernels do not declare which "
                             "bytes are floating-point numbers: '{}'{}",
                             skipped_.size() == 1 ? "one buffer is"
                                                  : fmt::format("{} buffers are", skipped_.size()),
                             fmt::join(shown, "', '"), skipped_.size() > kShown ? ", ..." : ""),
             .where = {},
             .hint = "declare the block in the kernel as an array of numbers, vectors or structs"});
    }
    for (std::size_t i = 0; i < checks_.size(); ++i) {
        const auto found = words.subspan(i * kWordsPerCheck, kWordsPerCheck);
        const std::uint32_t count = found[2] + 1; // all bits are set at first
        if (count == 0) continue;
        const FiniteCheck& check = checks_[i];
        const std::string place =
            std::visit([&](const auto& what) { return place_in(what, found[0]); }, check.what);
        result.push_back({.code = "graph/not-finite",
                          .message = fmt::format(
                              "{} that is not finite: '{}' has {} at {}{}", check.writers,
                              check.resource, found[0] == found[1] ? "a NaN" : "an infinity", place,
                              count == 1 ? "" : fmt::format(", the first of {}", count)),
                          .where = {},
                          .hint = "its inputs are finite; look for a division by zero, a root or "
                                  "logarithm of a negative number, or an overflow there"});
        break;
    }
    return result;
}

} // namespace tuff
