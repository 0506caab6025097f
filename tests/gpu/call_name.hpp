#pragma once

#include <algorithm>
#include <cstddef>

namespace tuff::testing_gpu {

/// A text that is an argument of a template.
template <std::size_t kLength>
struct Name {
    char text[kLength]{};
    constexpr Name(const char (&name)[kLength]) { std::copy_n(name, kLength, text); }
};

} // namespace tuff::testing_gpu
