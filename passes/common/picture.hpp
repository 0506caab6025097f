#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

/// What the passes that turn pictures into pictures share: checking what they are given, and
/// making the image they write.
namespace tuff::passes {

/// The format of a pass's result.
enum class OutputFormat : std::uint8_t {
    same, ///< the source's; see `result_format`
    rgba8_unorm,
    rgba16_sfloat,
    rgba32_sfloat,
    r32_sfloat,
};

/// `format`, or for `OutputFormat::same` the source's. Formats that kernels cannot write have a
/// stand-in: sRGB formats are decoded when read and become rgba16_sfloat; bgra8_unorm becomes
/// rgba8_unorm.
Format result_format(Format source, OutputFormat format);

/// Reports `image/size-mismatch` with both sizes, and returns false, unless they are equal.
[[nodiscard]] bool same_size(Graph& graph, Image a, std::string_view port_a, Image b,
                             std::string_view port_b);

/// Reports `pass/out-of-range`, and returns false, unless `low <= value <= high`: for bounds that
/// depend on something else, which `describe` cannot state.
[[nodiscard]] bool in_range(Graph& graph, std::string_view parameter, double value, double low,
                            double high);

/// A transient image of the first level of `source`'s size.
Image image_like(Graph& graph, std::string_view name, Image source, Format format);

/// The traffic of reading `source` and writing `result` once, and the arithmetic for each texel of
/// the result. Zero where the pass has not been built.
Cost picture_cost(const Graph& graph, Image source, Image result, double operations_per_texel);

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::OutputFormat> {
    static constexpr std::array<std::string_view, 5> names{"same", "rgba8_unorm", "rgba16_sfloat",
                                                           "rgba32_sfloat", "r32_sfloat"};
};
