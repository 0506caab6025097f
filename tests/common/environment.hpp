#pragma once

#include <cstdint>
#include <cstdlib>

namespace tuff::test {

/// The number in an environment variable, with which people make a test try more.
inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
    const char* text = std::getenv(variable);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

} // namespace tuff::test
