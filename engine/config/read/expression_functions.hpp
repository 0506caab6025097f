#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

namespace tuff {

inline constexpr std::uint32_t kAnyArguments = ~0u;

/// Arguments.
using ExpressionNumbers = std::span<const double>;

/// A function that expressions may call.
struct ExpressionFunction {
    std::string_view name;
    std::uint32_t least; ///< arguments
    std::uint32_t most;
    double (*compute)(ExpressionNumbers); ///< null: `select`, which jumps
};

inline constexpr std::array kExpressionFunctions = {
    ExpressionFunction{"abs", 1, 1, [](ExpressionNumbers a) { return std::abs(a[0]); }},
    ExpressionFunction{"ceil", 1, 1, [](ExpressionNumbers a) { return std::ceil(a[0]); }},
    ExpressionFunction{"clamp", 3, 3,
                       [](ExpressionNumbers a) { return std::min(std::max(a[0], a[1]), a[2]); }},
    ExpressionFunction{"cos", 1, 1, [](ExpressionNumbers a) { return std::cos(a[0]); }},
    ExpressionFunction{"exp", 1, 1, [](ExpressionNumbers a) { return std::exp(a[0]); }},
    ExpressionFunction{"floor", 1, 1, [](ExpressionNumbers a) { return std::floor(a[0]); }},
    ExpressionFunction{"log", 1, 1, [](ExpressionNumbers a) { return std::log(a[0]); }},
    ExpressionFunction{"max", 2, kAnyArguments,
                       [](ExpressionNumbers a) { return std::ranges::max(a); }},
    ExpressionFunction{"min", 2, kAnyArguments,
                       [](ExpressionNumbers a) { return std::ranges::min(a); }},
    ExpressionFunction{"mix", 3, 3,
                       [](ExpressionNumbers a) { return std::lerp(a[0], a[1], a[2]); }},
    ExpressionFunction{"pow", 2, 2, [](ExpressionNumbers a) { return std::pow(a[0], a[1]); }},
    ExpressionFunction{"round", 1, 1, [](ExpressionNumbers a) { return std::round(a[0]); }},
    ExpressionFunction{"select", 3, 3, nullptr},
    ExpressionFunction{"sin", 1, 1, [](ExpressionNumbers a) { return std::sin(a[0]); }},
    ExpressionFunction{"sqrt", 1, 1, [](ExpressionNumbers a) { return std::sqrt(a[0]); }},
};

} // namespace tuff
