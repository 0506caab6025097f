#pragma once

#include "passes/common/picture.hpp"
#include "passes/image/tonemap.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

/// How the numbers of a whole picture are found.
enum class LuminanceMeasure : std::uint8_t {
    reduce,  ///< primitives/reduce
    pyramid, ///< primitives/reduce/gems, four texels to one a pass
};

/// Tone mapping by the picture's own brightness. See `describe`.
struct Reinhard {
    static constexpr std::string_view kName = "image/reinhard";

    Image source;
    float key = 0.18f;
    float white = 0.0f; ///< 0: the greatest luminance of the picture
    LuminanceMeasure measure = LuminanceMeasure::reduce;
    OutputEncoding encoding = OutputEncoding::srgb;
    OutputFormat format = OutputFormat::rgba8_unorm;
    Image result;
    Buffer log_average; ///< the mean of the logarithms
    Buffer maximum;

    static void describe(PassInfo<Reinhard>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::LuminanceMeasure> {
    static constexpr std::array<std::string_view, 2> names{"reduce", "pyramid"};
};
