#pragma once

#include "passes/filter/problem.hpp"

#include <glm/vec4.hpp>

#include <string_view>

namespace tuff::passes {

/// Finds how one image or volume must be deformed to be like another. See `describe`.
struct FilterRegister {
    static constexpr std::string_view kName = "filter/register";

    Buffer fixed;
    Buffer moving;
    glm::uvec4 size{1};
    std::uint32_t levels = 3;
    std::uint32_t iterations = 8;
    std::uint32_t kernel_size = 9;
    float frequency = 1.1f;
    float octaves = 2.0f;
    float sigma_equations = 1.5f;
    float sigma_field = 1.5f;
    Buffer field;
    Buffer result;

    static void describe(PassInfo<FilterRegister>& info);
    void build(Graph& graph);
};

} // namespace tuff::passes
