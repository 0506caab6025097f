#include "config/read/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tuff {
namespace {

std::optional<ValueExpr> read_keys(const SourceFile& source, const Json::Value& json,
                                   Problems& problems) {
    const Json::Value& keys = json["keys"];
    ValueExpr expr{.kind = ValueExpr::Kind::keys, .span = span_of(source, json)};
    if (!keys.isArray() || keys.empty()) {
        problems.error("config/bad-keys", span_of(source, keys),
                       "keyframes are a list of [seconds, value] with at least one entry");
        return std::nullopt;
    }
    bool sound = true;
    for (const Json::Value& key : keys) {
        if (!key.isArray() || key.size() != 2 || !key[0].isNumeric()) {
            problems.error("config/bad-keys", span_of(source, key),
                           "a keyframe is [seconds, value]");
            sound = false;
            continue;
        }
        const double time = key[0].asDouble();
        if (!expr.times.empty() && time <= expr.times.back()) {
            problems.error("config/bad-keys", span_of(source, key[0]),
                           fmt::format("the times of keyframes must increase, and {} does not "
                                       "come after {}",
                                       time, expr.times.back()),
                           "sort the keyframes by time and give each time once");
            sound = false;
        }
        std::optional<ValueExpr> value = read_value(source, key[1], problems);
        if (!value) {
            sound = false;
            continue;
        }
        expr.times.push_back(time);
        expr.items.push_back(std::move(*value));
    }
    if (!sound) return std::nullopt;
    return expr;
}

/// Turns [[1, 2], [3, 4]] into [1, 2, 3, 4].
std::optional<ValueExpr> flatten_rows(ValueExpr list, Problems& problems) {
    const auto is_list = [](const ValueExpr& e) { return e.kind == ValueExpr::Kind::list; };
    if (std::ranges::none_of(list.items, is_list)) return list;
    const std::size_t length = list.items.front().items.size();
    ValueExpr flat{.kind = ValueExpr::Kind::list, .span = list.span};
    for (ValueExpr& row : list.items) {
        if (!is_list(row) || row.items.size() != length) {
            problems.error("config/ragged-list", row.span,
                           "the rows of a nested list must have the same length");
            return std::nullopt;
        }
        std::ranges::move(row.items, std::back_inserter(flat.items));
    }
    return flat;
}

/// The numbers of a value that consists of numbers, else nothing.
std::optional<std::vector<double>> numbers_of(const ParameterValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return std::vector{static_cast<double>(*whole)};
    if (const auto* real = std::get_if<double>(&value)) return std::vector{*real};
    if (const auto* list = std::get_if<std::vector<double>>(&value)) return *list;
    return std::nullopt;
}

std::optional<Evaluated> evaluate_list(const ValueExpr& expr, double time, const Lookup& lookup,
                                       Problems& problems) {
    std::vector<double> numbers;
    bool interpolated = false;
    bool sound = true;
    for (const ValueExpr& item : expr.items) {
        const std::optional<Evaluated> element = evaluate(item, time, lookup, problems);
        if (!element) {
            sound = false;
            continue;
        }
        interpolated |= element->interpolated;
        const auto components = numbers_of(element->value);
        if (!components || std::holds_alternative<std::vector<double>>(element->value)) {
            problems.error("config/wrong-type", item.span,
                           fmt::format("a list holds numbers, not {}", kind_name(element->value)));
            sound = false;
            continue;
        }
        numbers.push_back(components->front());
    }
    if (!sound) return std::nullopt;
    return Evaluated{std::move(numbers), interpolated};
}

std::optional<Evaluated> evaluate_keys(const ValueExpr& expr, double time, const Lookup& lookup,
                                       Problems& problems) {
    const auto after = std::ranges::upper_bound(expr.times, time);
    const auto next = static_cast<std::size_t>(after - expr.times.begin());
    const std::size_t b = std::min(next, expr.times.size() - 1);
    const std::size_t a = next == 0 ? 0 : next - 1;
    const auto from = evaluate(expr.items[a], time, lookup, problems);
    const auto to = a == b ? from : evaluate(expr.items[b], time, lookup, problems);
    if (!from || !to) return std::nullopt;
    auto low = numbers_of(from->value);
    const auto high = numbers_of(to->value);
    if (!low || !high || low->size() != high->size() ||
        std::holds_alternative<std::vector<double>>(from->value) !=
            std::holds_alternative<std::vector<double>>(to->value)) {
        problems.error("config/wrong-type", expr.items[b].span,
                       fmt::format("keyframes hold numbers or lists of one length, not {} after {}",
                                   kind_name(to->value), kind_name(from->value)));
        return std::nullopt;
    }
    if (a != b) {
        const double weight = (time - expr.times[a]) / (expr.times[b] - expr.times[a]);
        for (std::size_t i = 0; i < low->size(); ++i)
            (*low)[i] = std::lerp((*low)[i], (*high)[i], weight);
    }
    if (std::holds_alternative<std::vector<double>>(from->value))
        return Evaluated{std::move(*low), true};
    return Evaluated{low->front(), true};
}

} // namespace

bool is_keys(const Json::Value& json) {
    return json.isObject() && json.size() == 1 && json.isMember("keys");
}

std::optional<ValueExpr> read_value(const SourceFile& source, const Json::Value& json,
                                    Problems& problems) {
    using Kind = ValueExpr::Kind;
    ValueExpr expr{.span = span_of(source, json)};
    if (is_keys(json)) return read_keys(source, json, problems);
    if (json.isBool()) {
        expr.kind = Kind::boolean;
        expr.boolean = json.asBool();
    } else if (json.type() == Json::intValue || json.type() == Json::uintValue) {
        if (!json.isInt64()) {
            problems.error("config/not-a-number", expr.span, "the number is too large");
            return std::nullopt;
        }
        expr.kind = Kind::integer;
        expr.integer = json.asInt64();
    } else if (json.type() == Json::realValue) {
        expr.kind = Kind::real;
        expr.real = json.asDouble();
        if (!std::isfinite(expr.real)) {
            problems.error("config/not-a-number", expr.span, "the number is not finite");
            return std::nullopt;
        }
    } else if (json.isString()) {
        expr.text = json.asString();
        expr.kind = Kind::text;
        if (expr.text.starts_with("$$")) {
            expr.text.erase(0, 1); // "$$x" is the text "$x"
        } else if (expr.text.starts_with('$')) {
            expr.kind = Kind::reference;
            expr.text.erase(0, 1);
        }
    } else if (json.isArray()) {
        expr.kind = Kind::list;
        for (const Json::Value& element : json) {
            std::optional<ValueExpr> item = read_value(source, element, problems);
            if (!item) return std::nullopt;
            expr.items.push_back(std::move(*item));
        }
        return flatten_rows(std::move(expr), problems);
    } else {
        problems.error("config/wrong-type", expr.span,
                       fmt::format("a value is a number, text, true, false or a list, not {}",
                                   kind_name(json)));
        return std::nullopt;
    }
    return expr;
}

std::optional<Evaluated> evaluate(const ValueExpr& expr, double time, const Lookup& lookup,
                                  Problems& problems) {
    switch (expr.kind) {
    case ValueExpr::Kind::boolean: return Evaluated{expr.boolean};
    case ValueExpr::Kind::integer: return Evaluated{expr.integer};
    case ValueExpr::Kind::real: return Evaluated{expr.real};
    case ValueExpr::Kind::text: return Evaluated{expr.text};
    case ValueExpr::Kind::reference: return lookup(expr.text, expr.span);
    case ValueExpr::Kind::list: return evaluate_list(expr, time, lookup, problems);
    case ValueExpr::Kind::keys: return evaluate_keys(expr, time, lookup, problems);
    }
    return std::nullopt;
}

void for_each_reference(const ValueExpr& expr, const std::function<void(const ValueExpr&)>& visit) {
    if (expr.kind == ValueExpr::Kind::reference) visit(expr);
    for (const ValueExpr& item : expr.items)
        for_each_reference(item, visit);
}

void collect_key_times(const ValueExpr& expr, std::vector<double>& times) {
    times.insert(times.end(), expr.times.begin(), expr.times.end());
    for (const ValueExpr& item : expr.items)
        collect_key_times(item, times);
}

ParameterValue rounded(ParameterValue value) {
    if (double* real = std::get_if<double>(&value)) *real = std::round(*real);
    if (auto* list = std::get_if<std::vector<double>>(&value))
        for (double& number : *list)
            number = std::round(number);
    return value;
}

std::string kind_name(const ParameterValue& value) {
    struct Visitor {
        std::string operator()(bool) const { return "true or false"; }
        std::string operator()(std::int64_t) const { return "a number"; }
        std::string operator()(double) const { return "a number"; }
        std::string operator()(const std::string&) const { return "a text"; }
        std::string operator()(const std::vector<double>& v) const {
            return fmt::format("a list of {} numbers", v.size());
        }
    };
    return std::visit(Visitor{}, value);
}

std::string kind_name(const Json::Value& json) {
    switch (json.type()) {
    case Json::nullValue: return "null";
    case Json::intValue:
    case Json::uintValue:
    case Json::realValue: return "a number";
    case Json::stringValue: return "a text";
    case Json::booleanValue: return "true or false";
    case Json::arrayValue: return "a list";
    case Json::objectValue: return "an object";
    }
    return "something else";
}

} // namespace tuff
