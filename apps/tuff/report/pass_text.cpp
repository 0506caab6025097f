#include "apps/tuff/report/pass_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <ranges>

namespace tuff::cli {
namespace {

/// The limits of the C++ type behind a parameter say nothing to users.
bool is_bound(double limit) {
    return std::isfinite(limit) && std::abs(limit) < 2147483647.0;
}

struct ValueText {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const {
        // Most defaults are floats: 0.1f is meant as 0.1, not as 0.10000000149.
        if (static_cast<double>(static_cast<float>(value)) == value)
            return fmt::format("{}", static_cast<float>(value));
        return fmt::format("{}", value);
    }
    std::string operator()(const std::string& value) const { return fmt::format("\"{}\"", value); }
    std::string operator()(const std::vector<double>& values) const {
        std::string text = "[";
        for (const double value : values)
            text += (text.size() > 1 ? ", " : "") + (*this)(value);
        return text + "]";
    }
    std::string operator()(const std::vector<std::string>& values) const {
        std::string list = "[";
        for (const std::string& value : values)
            list += (list.size() > 1 ? ", " : "") + (*this)(value);
        return list + "]";
    }
};

} // namespace

std::string value_text(const ParameterValue& value) {
    return std::visit(ValueText{}, value);
}

std::string kind_text(const ParameterInfo& parameter) {
    switch (parameter.kind) {
    case ParameterKind::boolean: return "true or false";
    case ParameterKind::integer: return "integer";
    case ParameterKind::real: return "number";
    case ParameterKind::text: return "text";
    case ParameterKind::choice: return "choice";
    case ParameterKind::vector: return fmt::format("{} numbers", parameter.components);
    case ParameterKind::list: return "list of numbers";
    case ParameterKind::texts: return "list of texts";
    }
    return "value";
}

std::string range_text(const ParameterInfo& parameter) {
    if (parameter.kind == ParameterKind::choice)
        return fmt::format("{}", fmt::join(parameter.choices, ", "));
    const bool low = is_bound(parameter.low);
    const bool high = is_bound(parameter.high);
    const ValueText text;
    const auto [least, most] = std::pair{parameter.excludes_low ? "more than" : "at least",
                                         parameter.excludes_high ? "less than" : "at most"};
    if (low && high && !parameter.excludes_low && !parameter.excludes_high)
        return fmt::format("{} to {}", text(parameter.low), text(parameter.high));
    if (low && high)
        return fmt::format("{} {}, {} {}", least, text(parameter.low), most, text(parameter.high));
    if (low) return fmt::format("{} {}", least, text(parameter.low));
    if (high) return fmt::format("{} {}", most, text(parameter.high));
    return {};
}

std::string config_snippet(const PassDescriptor& pass) {
    const std::string short_name = pass.name.substr(pass.name.rfind('/') + 1);
    std::vector<std::string> lines = {fmt::format("\"pass\": \"{}\"", pass.name)};
    std::vector<std::string> parts;
    for (const PortInfo& port : pass.inputs)
        if (port.required)
            parts.push_back(fmt::format("\"{}\": {}", port.name,
                                        port.list ? "[\"other.result\"]" : "\"other.result\""));
    if (!parts.empty()) lines.push_back(fmt::format("\"in\": {{{}}}", fmt::join(parts, ", ")));
    parts.clear();
    const auto sampled = [](const ParameterInfo& p) { return !p.name.starts_with("camera."); };
    for (const ParameterInfo& parameter :
         pass.parameters | std::views::filter(sampled) | std::views::take(2))
        parts.push_back(
            fmt::format("\"{}\": {}", parameter.name, value_text(parameter.default_value)));
    if (!parts.empty()) lines.push_back(fmt::format("\"params\": {{{}}}", fmt::join(parts, ", ")));
    return fmt::format("\"{}\": {{\n    {}\n}}\n", short_name, fmt::join(lines, ",\n    "));
}

} // namespace tuff::cli
