#pragma once

#include "passes/primitives/elements.hpp"

#include <optional>
#include <string>
#include <string_view>

/// Kernels with an expression of the user's in them, compiled when a graph is built.
namespace tuff::passes {

/// A GLSL expression of `x`, an element; `i`, its index; `n`, the number of elements; and `p`, four
/// parameters.
struct Expression {
    std::string_view parameter; ///< of the pass, that gave it
    std::string_view text;
    Element x = Element::u32;
    std::optional<Element> y = {};      ///< there is a second element, of this type
    std::optional<Element> result = {}; ///< none: a condition
    bool y_is_zero = false;             ///< whatever the second element is
};

/// Makes the kernel `shader` ("primitives/map") with `expression` in place of
/// primitives/expression.glsl, and returns its name. Reports, and returns nothing, where the
/// expression is no single expression or does not compile (primitives/bad-expression, one report
/// with the place), and where there is no compiler (shader/no-compiler).
[[nodiscard]] std::optional<std::string> kernel_with(Graph& graph, std::string_view shader,
                                                     const Expression& expression);

} // namespace tuff::passes
