#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What the passes of fft share: arrays of up to four axes, and what they say of a transform.
namespace tuff::passes {

enum class FftDirection : std::uint8_t {
    forward, ///< sums of x exp(-2 pi i j k / n)
    inverse, ///< sums of x exp(+2 pi i j k / n)
};

/// What the sums are multiplied by, n being the numbers of a transform, over all its axes.
enum class FftScale : std::uint8_t {
    none,
    unitary,  ///< 1 / sqrt(n)
    by_count, ///< 1 / n
};

/// The numbers along x, y, z and w, x fastest, and how many arrays follow one another.
struct FftArray {
    std::array<std::uint32_t, 4> size{1, 1, 1, 1};
    std::uint32_t batch = 1;
    std::array<bool, 4> transformed{true, true, true, true}; ///< which axes
};

/// Parameters of a pass, as it has them.
struct FftRequest {
    glm::uvec4 size;
    std::uint32_t batch;
    std::string_view axes;
};

/// The most numbers that an array may have: addresses are 32 bits of bytes.
inline constexpr std::uint64_t kMaxFftNumbers = std::uint64_t{1} << 29;

/// The product of these extents, or nothing where it is more than `kMaxFftNumbers`.
std::optional<std::uint64_t> fft_count(const std::array<std::uint32_t, 4>& size,
                                       std::uint64_t batch);

/// Checks what a pass is given. `size.x` of 0 becomes `whole` / the others. Reports, and returns
/// nothing: fft/axes, fft/empty, fft/too-large.
std::optional<FftArray> fft_array(Graph& graph, const FftRequest& request, std::uint64_t whole);

/// `part`, a size within `all` whose zeros stand for all. Reports, and returns nothing:
/// fft/extent.
std::optional<std::array<std::uint32_t, 4>> fft_part(Graph& graph, std::string_view parameter,
                                                     glm::uvec4 part,
                                                     const std::array<std::uint32_t, 4>& all);

/// Reports fft/too-short unless `buffer` holds `count` numbers of `bytes` each.
bool has_numbers(Graph& graph, std::string_view port, Buffer buffer, std::uint64_t count,
                 std::uint32_t bytes);

/// The factor of the sums over the transformed axes of an array.
float scale_of(FftScale scale, const FftArray& array);

/// The least that a transform costs: what it reads and writes, twice where a group cannot keep it,
/// and 5 n log2(n) operations. `size`
/// and `axes` are the pass's; x of 0 is derived from the bytes of the result.
Cost fft_cost(double source_bytes, double result_bytes, glm::uvec4 size, std::uint32_t batch,
              std::string_view axes);
/// Of real numbers: half the operations.
inline Cost halved_cost(const Cost& cost) {
    return {.bytes = cost.bytes, .operations = 0.5 * cost.operations};
}

/// Declares "size", "batch" and "axes" of a pass.
template <typename Pass>
void describe_fft_array(PassInfo<Pass>& info, std::string_view size_doc) {
    info.parameter("size", &Pass::size, size_doc).structural();
    info.parameter("batch", &Pass::batch, "number of consecutive arrays, transformed separately")
        .range(1, static_cast<double>(kMaxFftNumbers))
        .structural();
    info.parameter("axes", &Pass::axes, "axes to transform: letters of x, y, z, w").structural();
}

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::FftScale> {
    static constexpr std::array<std::string_view, 3> names{"none", "unitary", "by_count"};
};
