#pragma once

#include <tuff/buffer_elements.hpp>

#include <glm/gtc/packing.hpp>

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

/// Numbers of the types that elements of buffers may have.
namespace tuff {

/// Calls `visit` with the number of that type which lies at `at`; halves as floats.
template <typename Visit>
decltype(auto) with_number(ElementType type, const std::byte* at, Visit&& visit) {
    const auto load = [&]<typename T>(T value) {
        std::memcpy(&value, at, sizeof(T));
        return value;
    };
    switch (type) {
    case ElementType::u8: return visit(load(std::uint8_t{}));
    case ElementType::u16: return visit(load(std::uint16_t{}));
    case ElementType::u32: return visit(load(std::uint32_t{}));
    case ElementType::u64: return visit(load(std::uint64_t{}));
    case ElementType::i8: return visit(load(std::int8_t{}));
    case ElementType::i16: return visit(load(std::int16_t{}));
    case ElementType::i32: return visit(load(std::int32_t{}));
    case ElementType::i64: return visit(load(std::int64_t{}));
    case ElementType::f16: return visit(glm::unpackHalf1x16(load(std::uint16_t{})));
    case ElementType::f32: return visit(load(float{}));
    case ElementType::f64: return visit(load(double{}));
    }
    std::unreachable();
}

/// The same number as a `To`, or the nearest of them where that has fractions; nothing where `To`
/// has none that stands for it.
template <typename To, typename From>
std::optional<To> converted(From number) {
    if constexpr (std::integral<To> && std::integral<From>) {
        return std::in_range<To>(number) ? std::optional(static_cast<To>(number)) : std::nullopt;
    } else if constexpr (std::integral<To>) {
        const double whole = number;
        constexpr double kEnd = 2.0 * static_cast<double>(std::uint64_t{1} << (sizeof(To) * 8 - 1));
        const double low = std::signed_integral<To> ? -kEnd / 2.0 : 0.0;
        const double end = std::signed_integral<To> ? kEnd / 2.0 : kEnd;
        if (!(whole >= low && whole < end) || whole != std::trunc(whole)) return std::nullopt;
        return static_cast<To>(number);
    } else {
        const To nearest = static_cast<To>(number);
        if constexpr (std::floating_point<From>)
            if (std::isfinite(number) && !std::isfinite(nearest)) return std::nullopt;
        return nearest;
    }
}

/// The nearest half, ties to even.
std::uint16_t half_bits(float value);

/// Puts a number at `at` as one of that type. False, and nothing is put, where it does not fit.
template <typename From>
bool store_number(ElementType type, From number, std::byte* at) {
    const auto store = [&]<typename To>(To) {
        const std::optional<To> value = converted<To>(number);
        if (value) std::memcpy(at, &*value, sizeof(To));
        return value.has_value();
    };
    switch (type) {
    case ElementType::u8: return store(std::uint8_t{});
    case ElementType::u16: return store(std::uint16_t{});
    case ElementType::u32: return store(std::uint32_t{});
    case ElementType::u64: return store(std::uint64_t{});
    case ElementType::i8: return store(std::int8_t{});
    case ElementType::i16: return store(std::int16_t{});
    case ElementType::i32: return store(std::int32_t{});
    case ElementType::i64: return store(std::int64_t{});
    case ElementType::f16: {
        const std::optional<float> value = converted<float>(number);
        constexpr float kTooLarge = 65520.0f; // halves end at 65504; this one rounds to infinity
        if (!value || (std::isfinite(*value) && std::abs(*value) >= kTooLarge)) return false;
        const std::uint16_t half = half_bits(*value);
        std::memcpy(at, &half, sizeof half);
        return true;
    }
    case ElementType::f32: return store(float{});
    case ElementType::f64: return store(double{});
    }
    std::unreachable();
}

} // namespace tuff
