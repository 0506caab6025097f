#pragma once

#include "passes/primitives/elements.hpp"

#include <tuff/pass.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace tuff::passes {

enum class SaxpyForm : std::uint8_t {
    fused,  ///< all steps in one kernel
    passes, ///< one kernel a step, as the lecture does it
};

/// alpha * x + y, any number of times. See `describe`.
struct Saxpy {
    static constexpr std::string_view kName = "primitives/saxpy";

    Buffer x;
    Buffer y;
    Buffer count;
    float alpha = 1.0f;
    std::uint32_t steps = 1;
    SaxpyForm form = SaxpyForm::fused;
    std::int64_t length = kAllElements;
    Buffer result;

    static void describe(PassInfo<Saxpy>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::SaxpyForm> {
    static constexpr std::array<std::string_view, 2> names{"fused", "passes"};
};
