#pragma once

#include <tuff/buffer_elements.hpp>

#include <glm/gtc/packing.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tuff::cli {

/// Calls `visit` with the number of that type which lies at `at`; halves as floats.
template <typename Visit>
void with_number(ElementType type, const std::byte* at, Visit&& visit) {
    const auto load = [&]<typename T>(T value) {
        std::memcpy(&value, at, sizeof(T));
        return value;
    };
    switch (type) {
    case ElementType::u8: return visit(load(std::uint8_t{}));
    case ElementType::u16: return visit(load(std::uint16_t{}));
    case ElementType::u32: return visit(load(std::uint32_t{}));
    case ElementType::u64: return visit(load(std::uint64_t{}));
    case ElementType::i8: return visit(int{load(std::int8_t{})});
    case ElementType::i16: return visit(load(std::int16_t{}));
    case ElementType::i32: return visit(load(std::int32_t{}));
    case ElementType::i64: return visit(load(std::int64_t{}));
    case ElementType::f16: return visit(glm::unpackHalf1x16(load(std::uint16_t{})));
    case ElementType::f32: return visit(load(float{}));
    case ElementType::f64: return visit(load(double{}));
    }
}

} // namespace tuff::cli
