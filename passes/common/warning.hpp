#pragma once

#include <tuff/diagnostic.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>

namespace tuff::passes {

/// What a pass's status has to say, without a place: the numbers come from the device.
inline Diagnostic warning(std::string code, std::string message, std::string hint) {
    return {.code = std::move(code),
            .severity = Severity::warning,
            .message = std::move(message),
            .where = {},
            .hint = std::move(hint)};
}

/// Says under `code` how many triangles were left out, if there are any.
inline void warn_of_bad_triangles(Diagnostics& all, std::string code, std::uint32_t not_finite,
                                  std::uint32_t bad_index) {
    if (not_finite == 0 && bad_index == 0) return;
    all.push_back(warning(std::move(code),
                          fmt::format("{} triangles have vertices that are not finite, and {} have "
                                      "indices out of range: they are left out",
                                      not_finite, bad_index),
                          "fix the mesh"));
}

} // namespace tuff::passes
