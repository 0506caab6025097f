#pragma once

#include <tuff/diagnostic.hpp>

#include <glm/glm.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// Parameters of passes. Included by tuff/pass.hpp.
namespace tuff {

/// A parameter's value in configs and command lines.
using ParameterValue = std::variant<bool, std::int64_t, double, std::string, std::vector<double>,
                                    std::vector<std::string>>;

/// Kind of values of a parameter.
enum class ParameterKind : std::uint8_t { boolean, integer, real, text, choice, vector, list, texts };

/// Which ends of a range belong to it.
enum class RangeEnds : std::uint8_t { closed, open_low, open_high, open };

/// A parameter as users see it. Fields of nested structs appear as "camera.position".
struct ParameterInfo {
    std::string name;                         ///< in configs
    std::string doc;                          ///< description
    ParameterKind kind = ParameterKind::real; ///< kind of values
    std::uint32_t components = 1;             ///< of a vector; for lists 0 (any length)
    bool integral = false;                    ///< integers and integer vectors: whole numbers only
    ParameterValue default_value = 0.0;       ///< of a default-made pass
    double low = -std::numeric_limits<double>::infinity(); ///< smallest value
    double high = std::numeric_limits<double>::infinity(); ///< largest value
    bool excludes_low = false;                             ///< values must be above `low`
    bool excludes_high = false;                            ///< values must be below `high`
    std::string unit;                 ///< "texels", "degrees", "stops"; may be empty
    std::vector<std::string> choices; ///< `choice` only
    bool structural = false;          ///< a change compiles the graph again
};

/// Specialise for an enum to make it a `choice` parameter: `static constexpr std::array names{...}`
/// of string views, one for each enumerator, in the order of their values 0, 1, 2, ...
template <typename E>
struct ChoiceNames;

/// Refines the parameter just declared.
class ParameterRefinement {
  public:
    /// Refines `info`.
    explicit ParameterRefinement(ParameterInfo& info) : info_(&info) {}
    /// Limits values, or each component of a vector, to this range.
    ParameterRefinement& range(double low, double high, RangeEnds ends = RangeEnds::closed) {
        info_->low = low;
        info_->high = high;
        info_->excludes_low = ends == RangeEnds::open_low || ends == RangeEnds::open;
        info_->excludes_high = ends == RangeEnds::open_high || ends == RangeEnds::open;
        return *this;
    }
    /// The unit of its numbers: "texels", "degrees".
    ParameterRefinement& unit(std::string_view unit) {
        info_->unit = unit;
        return *this;
    }
    /// Marks that a change of the parameter changes the graph's structure.
    ParameterRefinement& structural() {
        info_->structural = true;
        return *this;
    }

  private:
    ParameterInfo* info_;
};

namespace detail {

/// Type of a number in memory.
enum class Scalar : std::uint8_t {
    boolean,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float32,
    float64
};

/// Type of a parameter's field in the struct of its pass. Texts are a std::string, lists a
/// std::vector<float> or a std::vector<std::string>, all others one or several numbers.
struct FieldType {
    ParameterKind kind = ParameterKind::real;       ///< kind of values
    Scalar scalar = Scalar::float32;                ///< of its numbers
    std::uint32_t components = 1;                   ///< of a vector
    std::span<const std::string_view> choices = {}; ///< `choice` only
};

template <typename T>
struct IsVector : std::false_type {};
template <glm::length_t N, typename T, glm::qualifier Q>
struct IsVector<glm::vec<N, T, Q>> : std::true_type {};

template <typename T>
consteval Scalar scalar_of() {
    if constexpr (std::same_as<T, bool>)
        return Scalar::boolean;
    else if constexpr (std::is_enum_v<T>)
        return scalar_of<std::underlying_type_t<T>>();
    else if constexpr (std::same_as<T, float>)
        return Scalar::float32;
    else if constexpr (std::same_as<T, double>)
        return Scalar::float64;
    else {
        static_assert(std::integral<T>, "unsupported parameter type");
        constexpr Scalar kSigned[] = {Scalar::int8, Scalar::int16, Scalar::int32, Scalar::int64};
        constexpr Scalar kUnsigned[] = {Scalar::uint8, Scalar::uint16, Scalar::uint32,
                                        Scalar::uint64};
        constexpr int kPower = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
        return std::signed_integral<T> ? kSigned[kPower] : kUnsigned[kPower];
    }
}

/// Compilers print a value of an enumeration as its enumerator, or as "(Type)7" if it has none.
template <auto kValue>
consteval bool is_enumerator() {
    constexpr std::string_view kSignature = __PRETTY_FUNCTION__;
    constexpr std::string_view kBefore = "kValue = ";
    return kSignature[kSignature.find(kBefore) + kBefore.size()] != '(';
}

/// Whether the enumerators of `E` are 0, 1, ... `kCount` - 1.
template <typename E, std::size_t kCount>
consteval bool has_enumerators() {
    return []<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
        return (is_enumerator<static_cast<E>(kIndex)>() && ...) &&
               !is_enumerator<static_cast<E>(kCount)>();
    }
    (std::make_index_sequence<kCount>());
}

template <typename T>
consteval FieldType field_type() {
    if constexpr (std::same_as<T, bool>) {
        return {.kind = ParameterKind::boolean, .scalar = Scalar::boolean};
    } else if constexpr (std::is_enum_v<T>) {
        static_assert(has_enumerators<T, ChoiceNames<T>::names.size()>(),
                      "ChoiceNames has a name for each enumerator, in the order 0, 1, 2, ...");
        return {.kind = ParameterKind::choice,
                .scalar = scalar_of<T>(),
                .choices = ChoiceNames<T>::names};
    } else if constexpr (std::integral<T>) {
        return {.kind = ParameterKind::integer, .scalar = scalar_of<T>()};
    } else if constexpr (std::floating_point<T>) {
        return {.kind = ParameterKind::real, .scalar = scalar_of<T>()};
    } else if constexpr (std::same_as<T, std::string>) {
        return {.kind = ParameterKind::text};
    } else if constexpr (std::same_as<T, std::vector<std::string>>) {
        return {.kind = ParameterKind::texts};
    } else if constexpr (IsVector<T>::value) {
        return {.kind = ParameterKind::vector,
                .scalar = scalar_of<typename T::value_type>(),
                .components = static_cast<std::uint32_t>(T::length())};
    } else {
        static_assert(std::same_as<T, std::vector<float>>, "unsupported parameter type");
        return {.kind = ParameterKind::list};
    }
}

/// The info of parameter `name`, with the value of `field` as its default.
ParameterInfo describe_parameter(std::string_view name, std::string_view doc, const FieldType& type,
                                 const void* field);
/// Sets a field to a value. Errors: `pass/wrong-type`, `pass/out-of-range`,
/// `pass/unknown-choice`.
Result<void> set_field(const ParameterInfo& info, const FieldType& type, void* field,
                       const ParameterValue& value);
/// Checks the value that C++ code has set in a field. Errors: `pass/out-of-range`,
/// `pass/unknown-choice`.
Diagnostics check_field(const ParameterInfo& info, const FieldType& type, const void* field);

} // namespace detail
} // namespace tuff
