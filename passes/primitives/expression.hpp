#pragma once

#include "passes/primitives/elements.hpp"

#include <optional>
#include <string>
#include <string_view>

/// Kernels with an expression of the user's in them, compiled when a graph is built.
namespace tuff::passes {

/// What an expression may speak of.
enum class Variables : std::uint8_t {
    element, ///< `x`, `y` if there is one, `i`, `n` and `p`
    pair,    ///< `x`, `y` and `p`: what two elements are combined to
    none,    ///< `p` alone
};

/// A GLSL expression of `x`, an element; `i`, its index; `n`, the number of elements; and `p`, four
/// parameters.
struct Expression {
    std::string_view parameter; ///< of the pass, that gave it
    std::string_view text;
    Element x = Element::u32;
    std::optional<Element> y = {};      ///< there is a second element, of this type
    std::optional<Element> result = {}; ///< none: a condition
    bool x_is_index = false;            ///< whatever the element is
    bool y_is_zero = false;             ///< whatever the second element is
    Variables variables = Variables::element;
};

/// Makes the kernel `shader` ("primitives/map") with `expression` in place of
/// primitives/expression.glsl, and returns its name. Reports, and returns nothing, where the
/// expression is no single expression or does not compile (primitives/bad-expression, one report
/// with the place), and where there is no compiler (shader/no-compiler).
[[nodiscard]] std::optional<std::string> kernel_with(Graph& graph, std::string_view shader,
                                                     const Expression& expression);

/// The text of an expression, wherever it stands.
struct ExpressionText {
    std::string_view parameter; ///< of the pass, that gave it
    std::string_view text;
    std::string variables; ///< the hint: what it may speak of
};

/// The expression as GLSL: so that messages of the compiler about it can be told from others.
std::string placed(const ExpressionText& expression);

/// Compiles `glsl`, which has `placed(expression)` in it, to the compute kernel `name` and a number
/// that tells texts apart, and returns that name. Reports as `kernel_with` does.
[[nodiscard]] std::optional<std::string> define_with(Graph& graph, const ExpressionText& expression,
                                                     std::string_view name, std::string_view glsl);

} // namespace tuff::passes
