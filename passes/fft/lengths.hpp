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
/// shaders/fft/steps.glsl. One step of radix 1 for a line of one number. `most_twos`: 2^3
/// or 2^4 is the greatest radix.
std::vector<std::uint32_t> fft_radices(std::uint32_t line, std::uint32_t most_twos = 4);

/// Lines of at most `longest` numbers whose lengths have the product `n`: the passes over memory
/// of a long transform, few and of about the same length. Nothing where there are none.
std::optional<std::vector<std::uint32_t>> fft_passes(std::uint32_t n, std::uint32_t longest);

/// Groups of so many invocations, which GPUs have, are large: their lines lie side by side in
/// whole sectors of memory.
inline constexpr std::uint32_t kLargeFftGroup = 1024;

/// Lines of one kernel.
struct FftLayout {
    std::uint64_t lines = 1;
    bool by_columns = false; ///< neighbours in memory are of neighbouring lines
    bool large = false;      ///< groups may have `kLargeFftGroup` invocations
    bool by_parts = false;   ///< the kernel can exchange real and imaginary parts apart
    bool mirrored = false;   ///< the kernel gains by `FftGroup::mirrored`
};

/// How a group is laid out for lines of a length.
struct FftGroup {
    std::uint32_t workers = 1;  ///< invocations of a line
    std::uint32_t columns = 1;  ///< lines
    std::uint32_t elements = 1; ///< numbers that an invocation keeps
    bool by_parts = false; ///< exchanges real and imaginary parts one after the other, which takes
                           ///< half the shared memory
    bool mirrored = false; ///< an invocation has the frequencies k and -k
    std::vector<std::uint32_t> radices;
};
FftGroup fft_group(std::uint32_t line, const FftLayout& layout);

} // namespace tuff::passes
