#pragma once

#include <cstdint>
#include <optional>
#include <vector>

/// How transforms of a length are put together. No GPU.
namespace tuff::passes {

/// The longest line that a group transforms in its shared memory.
inline constexpr std::uint32_t kMaxFftLine = 4096;

/// Whether n is a product of 2, 3, 5 and 7.
bool has_small_factors(std::uint32_t n);

/// The least length of small factors that is no less than `n`, which is at most 2^31.
std::uint32_t next_fft_length(std::uint32_t n);

/// The steps of a line of at most `kMaxFftLine` numbers and small factors, at most six: see
/// shaders/include/fft/steps.glsl. One step of radix 1 for a line of one number.
std::vector<std::uint32_t> fft_radices(std::uint32_t line);

/// Lines of at most `longest` numbers whose lengths have the product `n`: the passes over memory
/// of a long transform, few and of about the same length. Nothing where there are none.
std::optional<std::vector<std::uint32_t>> fft_passes(std::uint32_t n, std::uint32_t longest);

/// How a group is laid out for lines of a length.
struct FftGroup {
    std::uint32_t workers = 1;           ///< invocations of a line
    std::uint32_t columns = 1;           ///< lines
    std::uint32_t exchanged_columns = 1; ///< lines in shared memory at a time
    std::uint32_t elements = 1;          ///< numbers that an invocation keeps
};
/// With so many invocations a group takes more long lines, which are exchanged one after the other.
inline constexpr std::uint32_t kLargeFftGroup = 1024;
/// `by_columns`: neighbours in memory are of neighbouring lines, so that a group should have some
/// of these: whole sectors of memory.
FftGroup fft_group(std::uint32_t line, const std::vector<std::uint32_t>& radices,
                   std::uint64_t lines, bool by_columns, std::uint32_t max_invocations);

} // namespace tuff::passes
