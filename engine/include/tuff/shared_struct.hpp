#pragma once

#include <tuff/parameter_type.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

/// Structs whose bytes C++ and kernels share: statuses, uniform blocks, records of buffers.
namespace tuff {

/// A member of a struct in its C++ layout.
struct SharedMember {
    std::string_view name;    ///< its name in kernels
    std::uint32_t offset = 0; ///< bytes
    ParameterType type;       ///< of an element, if it is an array
    std::uint32_t length = 0; ///< elements; 0: not an array
};

/// The C++ layout of a struct.
struct StructLayout {
    std::string_view name;                 ///< for messages
    std::uint32_t bytes = 0;               ///< `sizeof`
    std::span<const SharedMember> members; ///< without padding
};

/// A struct that lists its members, which are then compared with those of kernels:
///
///     struct Grains {
///         std::uint32_t grains = 0;
///         float heaviest = 0.0f;
///         static constexpr std::string_view kStructName = "Grains";
///         static constexpr auto members() {
///             return std::array{TUFF_MEMBER(Grains, grains), TUFF_MEMBER(Grains, heaviest)};
///         }
///     };
template <typename T>
concept SharedStruct = std::is_standard_layout_v<T> && requires {
    { T::kStructName } -> std::convertible_to<std::string_view>;
    { T::members()[0] } -> std::convertible_to<SharedMember>;
};

/// @cond
namespace detail {
template <typename Member>
struct SharedType {
    using Element = Member;
    static constexpr std::uint32_t kLength = 0;
};
template <typename Member, std::size_t kCount>
struct SharedType<Member[kCount]> {
    using Element = Member;
    static constexpr std::uint32_t kLength = kCount;
};
template <typename Member, std::size_t kCount>
struct SharedType<std::array<Member, kCount>> : SharedType<Member[kCount]> {};

template <SharedStruct T>
inline constexpr auto kMembers = T::members();
} // namespace detail
/// @endcond

/// Result of `TUFF_MEMBER`.
template <typename Member>
constexpr SharedMember shared_member(std::string_view name, std::size_t offset) {
    using Type = detail::SharedType<Member>;
    return {name, static_cast<std::uint32_t>(offset),
            ParameterTypeOf<typename Type::Element>::value, Type::kLength};
}

/// The member `member` of `Struct`, which kernels call the same.
#define TUFF_MEMBER(Struct, member)                                                                \
    ::tuff::shared_member<decltype(Struct::member)>(#member, offsetof(Struct, member))

/// The C++ layout of `T`.
template <SharedStruct T>
constexpr StructLayout layout_of() {
    return {T::kStructName, sizeof(T), detail::kMembers<T>};
}

} // namespace tuff
