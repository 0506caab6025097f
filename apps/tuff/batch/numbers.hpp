#pragma once

#include "core/parse_number.hpp"

#include <cmath>

namespace tuff::cli {

/// All of `text` as a finite number, or nothing.
inline std::optional<double> finite_number(std::string_view text) {
    const std::optional<double> number = parse_number<double>(text);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

} // namespace tuff::cli
