#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace tuff {

/// The number that all of `text` is, with a sign or without; else nothing, also where it is out of
/// the range of `T`.
template <typename T>
std::optional<T> parse_number(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    T value{};
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || rest != end) return std::nullopt;
    return value;
}

} // namespace tuff
