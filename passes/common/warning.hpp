#pragma once

#include <tuff/diagnostic.hpp>

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

} // namespace tuff::passes
