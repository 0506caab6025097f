#include "apps/bench/sizes.hpp"
#include "core/parse_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>

namespace tuff::bench {
namespace {

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Whether the whole of `text` fits the pattern. On a mismatch the last star takes one more.
bool fits(std::string_view text, std::string_view pattern) {
    std::size_t t = 0;
    std::size_t p = 0;
    std::size_t star = std::string_view::npos;
    std::size_t after_star = 0; // in the text: where the star's share ends
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            after_star = t;
        } else if (p < pattern.size() &&
                   (pattern[p] == '?' || lower(pattern[p]) == lower(text[t]))) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++after_star;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

} // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 32;
    std::optional<std::uint64_t> size;
    if (text.starts_with("2^")) {
        const auto exponent = parse_number<std::uint64_t>(text.substr(2));
        if (exponent && *exponent <= 32) size = std::uint64_t{1} << *exponent;
    } else {
        size = parse_number<std::uint64_t>(text);
    }
    if (size && *size >= 1 && *size <= kLargest) return *size;
    return fail("bench/bad-size", fmt::format("'{}' is not a size", text),
                "give numbers of elements from 1 to 2^32, such as 2^20 or 1000000");
}

Result<std::vector<std::uint64_t>> parse_sizes(const std::vector<std::string>& texts) {
    std::vector<std::uint64_t> sizes;
    Diagnostics problems;
    for (const std::string& text : texts) {
        const auto size = parse_size(text);
        if (size)
            sizes.push_back(*size);
        else
            problems.insert(problems.end(), size.error().begin(), size.error().end());
    }
    if (!problems.empty()) return std::unexpected(std::move(problems));
    return sizes;
}

std::string size_text(std::uint64_t size) {
    if (size >= 1024 && std::has_single_bit(size))
        return fmt::format("2^{}", std::countr_zero(size));
    return fmt::format("{}", size);
}

std::vector<std::uint64_t> default_sizes(const DeviceCaps& caps) {
    const bool software = caps.type == DeviceType::cpu;
    std::vector<std::uint64_t> sizes;
    for (std::uint32_t log2 = software ? 12 : 16; log2 <= (software ? 20u : 28u); log2 += 2)
        sizes.push_back(std::uint64_t{1} << log2);
    return sizes;
}

std::vector<std::uint64_t> sizes_for(const Case& measured, const std::vector<std::uint64_t>& sizes,
                                     const DeviceCaps& caps) {
    const std::uint64_t most = caps.type == DeviceType::cpu
                                   ? std::min(measured.most, measured.most_on_software)
                                   : measured.most;
    std::vector<std::uint64_t> result;
    for (const std::uint64_t size : sizes)
        if (size >= measured.least && size <= most) result.push_back(size);
    return result;
}

bool matches(std::string_view text, std::string_view pattern) {
    return fits(text, '*' + std::string(pattern) + '*');
}

} // namespace tuff::bench
