#pragma once

#include "passes/filter/problem.hpp"

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <string_view>

namespace tuff::passes {

enum class BilateralMethod : std::uint8_t { direct, separable, grid };

/// An average of the neighbours with similar numbers. See `describe`.
struct FilterBilateral {
    static constexpr std::string_view kName = "filter/bilateral";

    Buffer source;
    Buffer kernel;
    glm::uvec4 size{0, 1, 1, 1};
    std::uint32_t batch = 1;
    glm::uvec4 kernel_size{9, 9, 1, 1};
    glm::vec4 sigma{2.0f};
    float sigma_range = 0.1f;
    FilterBorder border = FilterBorder::clamp;
    BilateralMethod method = BilateralMethod::direct;
    glm::vec2 range{0.0f, 1.0f};
    float cell = 1.0f;
    Buffer result;

    static void describe(PassInfo<FilterBilateral>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes

template <>
struct tuff::ChoiceNames<tuff::passes::BilateralMethod> {
    static constexpr std::array<std::string_view, 3> names{"direct", "separable", "grid"};
};
