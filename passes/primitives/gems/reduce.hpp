#pragma once

#include <tuff/graph.hpp>
#include <tuff/pass.hpp>

#include <array>
#include <string_view>

namespace tuff::passes {

enum class PyramidOperation : std::uint8_t { sum, min, max, mean };

/// What of a texel is reduced.
enum class PyramidValue : std::uint8_t { luminance, log_luminance, red };

/// A picture reduced to one number as GPU Gems does it, four texels to one a pass. See `describe`.
struct ReduceGems {
    static constexpr std::string_view kName = "primitives/reduce/gems";

    Image source;
    PyramidOperation operation = PyramidOperation::max;
    PyramidValue value = PyramidValue::luminance;
    Image result;

    static void describe(PassInfo<ReduceGems>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::PyramidOperation> {
    static constexpr std::array<std::string_view, 4> names{"sum", "min", "max", "mean"};
};
template <>
struct tuff::ChoiceNames<tuff::passes::PyramidValue> {
    static constexpr std::array<std::string_view, 3> names{"luminance", "log_luminance", "red"};
};
