#pragma once

#include <tuff/shader_interface.hpp>

#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tuff {

struct Buffer;
struct Image;

/// The GLSL type of a value, to compare parameters with the kernel.
struct ParameterType {
    ScalarType scalar = ScalarType::float32; ///< of a component
    std::uint32_t rows = 1;                  ///< components of a vector, rows of a matrix
    std::uint32_t columns = 1;               ///< 1 but for matrices
};
template <typename T>
struct ParameterTypeOf;
/// @cond
template <>
struct ParameterTypeOf<float> {
    static constexpr ParameterType value{ScalarType::float32, 1, 1};
};
template <>
struct ParameterTypeOf<std::int32_t> {
    static constexpr ParameterType value{ScalarType::int32, 1, 1};
};
template <>
struct ParameterTypeOf<std::uint32_t> {
    static constexpr ParameterType value{ScalarType::uint32, 1, 1};
};
template <>
struct ParameterTypeOf<glm::vec2> {
    static constexpr ParameterType value{ScalarType::float32, 2, 1};
};
template <>
struct ParameterTypeOf<glm::vec3> {
    static constexpr ParameterType value{ScalarType::float32, 3, 1};
};
template <>
struct ParameterTypeOf<glm::vec4> {
    static constexpr ParameterType value{ScalarType::float32, 4, 1};
};
template <>
struct ParameterTypeOf<glm::ivec2> {
    static constexpr ParameterType value{ScalarType::int32, 2, 1};
};
template <>
struct ParameterTypeOf<glm::ivec3> {
    static constexpr ParameterType value{ScalarType::int32, 3, 1};
};
template <>
struct ParameterTypeOf<glm::ivec4> {
    static constexpr ParameterType value{ScalarType::int32, 4, 1};
};
template <>
struct ParameterTypeOf<glm::uvec2> {
    static constexpr ParameterType value{ScalarType::uint32, 2, 1};
};
template <>
struct ParameterTypeOf<glm::uvec3> {
    static constexpr ParameterType value{ScalarType::uint32, 3, 1};
};
template <>
struct ParameterTypeOf<glm::uvec4> {
    static constexpr ParameterType value{ScalarType::uint32, 4, 1};
};
template <>
struct ParameterTypeOf<glm::mat3> {
    static constexpr ParameterType value{ScalarType::float32, 3, 3};
};
template <>
struct ParameterTypeOf<glm::mat4> {
    static constexpr ParameterType value{ScalarType::float32, 4, 4};
};
/// A vector without glm.
template <typename Scalar, std::size_t kRows>
requires(std::is_same_v<Scalar, float> || std::is_same_v<Scalar, std::int32_t> ||
         std::is_same_v<Scalar, std::uint32_t>) &&
    (kRows >= 2 && kRows <= 4) struct ParameterTypeOf<std::array<Scalar, kRows>> {
    static constexpr ParameterType value{ParameterTypeOf<Scalar>::value.scalar, kRows, 1};
};
/// @endcond

/// A type that a member of a kernel's parameters can have.
template <typename T>
concept Parameter = requires {
    ParameterTypeOf<T>::value;
};

/// @cond
namespace detail {
template <typename T>
inline constexpr bool kIsArray = false;
template <typename T, std::size_t kCount>
inline constexpr bool kIsArray<std::array<T, kCount>> = true;
} // namespace detail
/// @endcond

/// A struct of numbers whose bytes a kernel's parameters can be set from.
template <typename T>
concept PlainStruct =
    std::is_aggregate_v<T> && std::is_class_v<T> && std::is_trivially_copyable_v<T> &&
    !Parameter<T> &&
    !detail::kIsArray<T> && !std::is_same_v<T, Image> && !std::is_same_v<T, Buffer>;

} // namespace tuff
