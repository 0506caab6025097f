#include <tuff/pass_parameters.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

/// Parameters as values of configs and as fields of structs, and the checks of both.
namespace tuff::detail {
namespace {

/// What a value is, for "expected ..., got ...".
std::string describe(const ParameterValue& value) {
    struct Visitor {
        std::string operator()(bool v) const { return v ? "true" : "false"; }
        std::string operator()(std::int64_t v) const { return fmt::format("the number {}", v); }
        std::string operator()(double v) const { return fmt::format("the number {}", v); }
        std::string operator()(const std::string& v) const {
            constexpr std::size_t kShown = 40;
            return v.size() <= kShown ? fmt::format("\"{}\"", v)
                                      : fmt::format("a text of {} bytes", v.size());
        }
        std::string operator()(const std::vector<double>& v) const {
            return v.size() == 1 ? "a list of 1 number"
                                 : fmt::format("a list of {} numbers", v.size());
        }
        std::string operator()(const std::vector<std::string>& v) const {
            return v.size() == 1 ? "a list of 1 text" : fmt::format("a list of {} texts", v.size());
        }
    };
    return std::visit(Visitor{}, value);
}

std::unexpected<Diagnostics> wrong_type(const ParameterInfo& info, std::string_view expected,
                                        const ParameterValue& value) {
    return fail("pass/wrong-type", fmt::format("parameter \"{}\" takes {}, not {}", info.name,
                                               expected, describe(value)));
}

std::string with_unit(std::string value, std::string_view unit) {
    return unit.empty() ? value : fmt::format("{} {}", value, unit);
}

std::string range_text(const ParameterInfo& info) {
    const bool below = std::isfinite(info.low);
    const bool above = std::isfinite(info.high);
    const std::string_view least = info.excludes_low ? "more than" : "at least";
    const std::string_view most = info.excludes_high ? "less than" : "at most";
    const std::string high = with_unit(fmt::format("{}", info.high), info.unit);
    if (below && above && !info.excludes_low && !info.excludes_high)
        return fmt::format("{} to {}", info.low, high);
    if (below && above) return fmt::format("{} {}, {} {}", least, info.low, most, high);
    if (below)
        return fmt::format("{} {}", least, with_unit(fmt::format("{}", info.low), info.unit));
    if (above) return fmt::format("{} {}", most, high);
    return "any finite number";
}

/// Whole numbers beyond 2^53 cannot be told apart once they have been a double.
constexpr double kLargestWhole = 9007199254740992.0;

/// A range as a number type knows it: 0.1 is in the range from 0.1 on, also as a float.
template <typename Number>
bool is_inside(const ParameterInfo& info, Number number) {
    const auto low = static_cast<Number>(info.low);
    const auto high = static_cast<Number>(info.high);
    return std::isfinite(number) && (info.excludes_low ? number > low : number >= low) &&
           (info.excludes_high ? number < high : number <= high);
}

/// `number`: as texts have it. `component` names one of a vector or list.
Diagnostic out_of_range(const ParameterInfo& info, std::string number,
                        std::optional<std::size_t> component) {
    const std::string name = component ? fmt::format("\"{}\" (component {})", info.name, *component)
                                       : fmt::format("\"{}\"", info.name);
    return {.code = "pass/out-of-range",
            .message = fmt::format("parameter {} is {}, outside its range", name,
                                   with_unit(std::move(number), info.unit)),
            .where = {},
            .hint = "give " + range_text(info)};
}

std::optional<Diagnostic> mistake_of(const ParameterInfo& info, double number,
                                     std::optional<std::size_t> component) {
    if (info.integral && std::isfinite(number) && number != std::trunc(number))
        return Diagnostic{.code = "pass/wrong-type",
                          .message = fmt::format(
                              "parameter \"{}\"{} takes whole numbers, not {}", info.name,
                              component ? fmt::format(" (component {})", *component) : "", number),
                          .where = {},
                          .hint = "floor(x) and round(x) make whole numbers in an expression"};
    const double limit =
        info.integral ? kLargestWhole : static_cast<double>(std::numeric_limits<float>::max());
    if (std::abs(number) <= limit && is_inside(info, number)) return std::nullopt;
    return out_of_range(info, fmt::format("{}", number), component);
}

std::optional<double> number_of(const ParameterValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return std::nullopt;
}

Result<double> as_number(const ParameterInfo& info, const ParameterValue& value) {
    const std::optional<double> number = number_of(value);
    if (!number) return wrong_type(info, info.integral ? "a whole number" : "a number", value);
    if (auto mistake = mistake_of(info, *number, {}))
        return std::unexpected(Diagnostics{std::move(*mistake)});
    return *number;
}

Result<std::vector<double>> as_numbers(const ParameterInfo& info, const ParameterValue& value) {
    const auto* numbers = std::get_if<std::vector<double>>(&value);
    const bool any_length = info.kind == ParameterKind::list;
    if (!numbers || (!any_length && numbers->size() != info.components))
        return wrong_type(info,
                          any_length ? "a list of numbers"
                                     : fmt::format("a list of {} numbers", info.components),
                          value);
    Diagnostics wrong;
    for (std::size_t i = 0; i < numbers->size(); ++i)
        if (auto mistake = mistake_of(info, (*numbers)[i], i)) wrong.push_back(std::move(*mistake));
    if (!wrong.empty()) return std::unexpected(std::move(wrong));
    return *numbers;
}

Result<std::vector<std::string>> as_texts(const ParameterInfo& info, const ParameterValue& value) {
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) return *texts;
    const auto* numbers = std::get_if<std::vector<double>>(&value);
    if (numbers && numbers->empty()) return {}; // an empty list has no type
    return wrong_type(info, "a list of texts", value);
}

Result<std::size_t> as_choice(const ParameterInfo& info, const ParameterValue& value) {
    const std::string choices = fmt::format("{}", fmt::join(info.choices, ", "));
    const auto* text = std::get_if<std::string>(&value);
    if (!text) return wrong_type(info, "one of " + choices, value);
    const auto found = std::ranges::find(info.choices, *text);
    if (found != info.choices.end()) return static_cast<std::size_t>(found - info.choices.begin());
    const std::string_view nearest = nearest_name(*text, info.choices);
    return fail("pass/unknown-choice",
                fmt::format("parameter \"{}\" cannot be {}", info.name, describe(value)),
                nearest.empty()
                    ? "choose one of " + choices
                    : fmt::format("did you mean \"{}\"? The choices are {}", nearest, choices));
}

// --- fields --------------------------------------------------------------------------------------

template <typename Number>
Number loaded(const std::byte* field) {
    Number number;
    std::memcpy(&number, field, sizeof(number));
    return number;
}

/// Calls `visit` with a value of the type that the field has.
template <typename Visit>
decltype(auto) with_type(Scalar scalar, Visit&& visit) {
    switch (scalar) {
    case Scalar::boolean: return visit(bool{});
    case Scalar::int8: return visit(std::int8_t{});
    case Scalar::int16: return visit(std::int16_t{});
    case Scalar::int32: return visit(std::int32_t{});
    case Scalar::int64: return visit(std::int64_t{});
    case Scalar::uint8: return visit(std::uint8_t{});
    case Scalar::uint16: return visit(std::uint16_t{});
    case Scalar::uint32: return visit(std::uint32_t{});
    case Scalar::uint64: return visit(std::uint64_t{});
    case Scalar::float32: return visit(float{});
    case Scalar::float64: return visit(double{});
    }
    std::unreachable();
}

double number_at(const FieldType& type, const void* field, std::size_t component) {
    return with_type(type.scalar, [&](auto zero) {
        const auto* bytes = static_cast<const std::byte*>(field) + component * sizeof(zero);
        return static_cast<double>(loaded<decltype(zero)>(bytes));
    });
}

void set_number(const FieldType& type, void* field, std::size_t component, double number) {
    with_type(type.scalar, [&](auto zero) {
        const auto typed = static_cast<decltype(zero)>(number);
        std::memcpy(static_cast<std::byte*>(field) + component * sizeof(typed), &typed,
                    sizeof(typed));
    });
}

/// The least and the most that the type of the field holds.
void set_limits(ParameterInfo& info, const FieldType& type) {
    with_type(type.scalar, [&](auto zero) {
        using Number = decltype(zero);
        if constexpr (std::integral<Number>) {
            info.integral = true;
            info.low = static_cast<double>(std::numeric_limits<Number>::lowest());
            info.high = static_cast<double>(std::numeric_limits<Number>::max());
        }
    });
}

std::optional<Diagnostic> mistake_at(const ParameterInfo& info, Scalar scalar, const void* field,
                                     std::size_t index, std::optional<std::size_t> component) {
    return with_type(scalar, [&](auto zero) -> std::optional<Diagnostic> {
        using Number = decltype(zero);
        const auto number =
            loaded<Number>(static_cast<const std::byte*>(field) + index * sizeof(Number));
        if constexpr (std::same_as<Number, float>) {
            if (is_inside(info, number)) return std::nullopt;
        } else {
            if (is_inside(info, static_cast<double>(number))) return std::nullopt;
        }
        return out_of_range(info, fmt::format("{}", number), component);
    });
}

} // namespace

ParameterInfo describe_parameter(std::string_view name, std::string_view doc, const FieldType& type,
                                 const void* field) {
    ParameterInfo info{.name = std::string(name), .doc = std::string(doc), .kind = type.kind};
    switch (type.kind) {
    case ParameterKind::boolean:
        info.default_value = loaded<bool>(static_cast<const std::byte*>(field));
        break;
    case ParameterKind::choice:
        info.choices.assign(type.choices.begin(), type.choices.end());
        info.default_value = info.choices.at(static_cast<std::size_t>(number_at(type, field, 0)));
        break;
    case ParameterKind::integer:
        set_limits(info, type);
        info.default_value = static_cast<std::int64_t>(number_at(type, field, 0));
        break;
    case ParameterKind::real: info.default_value = number_at(type, field, 0); break;
    case ParameterKind::text: info.default_value = *static_cast<const std::string*>(field); break;
    case ParameterKind::texts:
        info.components = 0;
        info.default_value = *static_cast<const std::vector<std::string>*>(field);
        break;
    case ParameterKind::vector: {
        set_limits(info, type);
        info.components = type.components;
        std::vector<double> numbers;
        for (std::size_t c = 0; c < type.components; ++c)
            numbers.push_back(number_at(type, field, c));
        info.default_value = std::move(numbers);
        break;
    }
    case ParameterKind::list: {
        const auto& list = *static_cast<const std::vector<float>*>(field);
        info.components = 0;
        info.default_value = std::vector<double>(list.begin(), list.end());
        break;
    }
    }
    return info;
}

Result<void> set_field(const ParameterInfo& info, const FieldType& type, void* field,
                       const ParameterValue& value) {
    switch (type.kind) {
    case ParameterKind::boolean: {
        const bool* flag = std::get_if<bool>(&value);
        if (!flag) return wrong_type(info, "true or false", value);
        set_number(type, field, 0, *flag ? 1.0 : 0.0);
        return {};
    }
    case ParameterKind::choice: {
        auto choice = as_choice(info, value);
        if (!choice) return propagate(std::move(choice));
        set_number(type, field, 0, static_cast<double>(*choice));
        return {};
    }
    case ParameterKind::integer:
    case ParameterKind::real: {
        auto number = as_number(info, value);
        if (!number) return propagate(std::move(number));
        set_number(type, field, 0, *number);
        return {};
    }
    case ParameterKind::text: {
        const auto* text = std::get_if<std::string>(&value);
        if (!text) return wrong_type(info, "a text", value);
        *static_cast<std::string*>(field) = *text;
        return {};
    }
    case ParameterKind::texts: {
        auto texts = as_texts(info, value);
        if (!texts) return propagate(std::move(texts));
        *static_cast<std::vector<std::string>*>(field) = std::move(*texts);
        return {};
    }
    case ParameterKind::vector: {
        auto numbers = as_numbers(info, value);
        if (!numbers) return propagate(std::move(numbers));
        for (std::size_t c = 0; c < numbers->size(); ++c)
            set_number(type, field, c, (*numbers)[c]);
        return {};
    }
    case ParameterKind::list: {
        auto numbers = as_numbers(info, value);
        if (!numbers) return propagate(std::move(numbers));
        auto& list = *static_cast<std::vector<float>*>(field);
        list.clear();
        for (const double number : *numbers)
            list.push_back(static_cast<float>(number));
        return {};
    }
    }
    std::unreachable();
}

Diagnostics check_field(const ParameterInfo& info, const FieldType& type, const void* field) {
    Diagnostics wrong;
    const auto check = [&](const void* numbers, std::size_t count) {
        const bool several = type.kind == ParameterKind::vector || type.kind == ParameterKind::list;
        // One component tells enough.
        for (std::size_t i = 0; i < count && wrong.empty(); ++i)
            if (auto mistake = mistake_at(info, type.scalar, numbers, i,
                                          several ? std::optional(i) : std::nullopt))
                wrong.push_back(std::move(*mistake));
    };
    switch (type.kind) {
    case ParameterKind::boolean:
    case ParameterKind::text:
    case ParameterKind::texts: break;
    case ParameterKind::choice: {
        const double choice = number_at(type, field, 0);
        if (choice >= 0.0 && choice < static_cast<double>(type.choices.size())) break;
        wrong.push_back({.code = "pass/unknown-choice",
                         .message = fmt::format("parameter \"{}\" is enumerator {}, which does "
                                                "not exist",
                                                info.name, choice),
                         .where = {},
                         .hint = fmt::format("choose one of {}", fmt::join(type.choices, ", "))});
        break;
    }
    case ParameterKind::integer:
    case ParameterKind::real: check(field, 1); break;
    case ParameterKind::vector: check(field, type.components); break;
    case ParameterKind::list: {
        const auto& list = *static_cast<const std::vector<float>*>(field);
        check(list.data(), list.size());
        break;
    }
    }
    return wrong;
}

} // namespace tuff::detail
