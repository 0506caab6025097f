#include "config/read/value.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace tuff {
namespace {

/// The numbers of a value that consists of numbers, else nothing.
std::optional<std::vector<double>> numbers_of(const ParameterValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return std::vector{static_cast<double>(*whole)};
    if (const auto* real = std::get_if<double>(&value)) return std::vector{*real};
    if (const auto* list = std::get_if<std::vector<double>>(&value)) return *list;
    return std::nullopt;
}

/// The number of a name in a list, for "easing" and "loop"; 0 where it is absent.
std::optional<std::size_t> read_choice(const SourceFile& source, const Json::Value& json,
                                       const char* key, std::span<const std::string_view> names,
                                       Problems& problems) {
    if (!json.isMember(key)) return 0;
    const Json::Value& value = json[key];
    const auto found = std::ranges::find(names, value.isString() ? value.asString() : "");
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    problems.error("config/bad-keys", span_of(source, value),
                   value.isString()
                       ? fmt::format("there is no \"{}\" called \"{}\"", key, value.asString())
                       : fmt::format("\"{}\" must be a text, not {}", key, kind_name(value)),
                   fmt::format("known: {}", fmt::join(names, ", ")));
    return std::nullopt;
}

std::optional<ValueExpr> read_keys(const SourceFile& source, const Json::Value& json,
                                   Problems& problems) {
    const Json::Value& keys = json["keys"];
    ValueExpr expr{.kind = ValueExpr::Kind::keys, .span = span_of(source, json)};
    const auto easing = read_choice(source, json, "easing", kEasingNames, problems);
    const auto loop = read_choice(source, json, "loop", kKeyLoopNames, problems);
    if (!keys.isArray() || keys.empty()) {
        problems.error("config/bad-keys", span_of(source, keys),
                       "keyframes are a list of [seconds, value] with at least one entry");
        return std::nullopt;
    }
    bool sound = easing && loop;
    if (easing) expr.easing = static_cast<Easing>(*easing);
    if (loop) expr.loop = static_cast<KeyLoop>(*loop);
    for (const Json::Value& key : keys) {
        if (!key.isArray() || key.size() != 2 || !(key[0].isNumeric() || key[0].isString())) {
            problems.error("config/bad-keys", span_of(source, key),
                           "a keyframe is [seconds, value]");
            sound = false;
            continue;
        }
        const auto seconds = constant_value(source, key[0], problems);
        const auto numbers = seconds ? numbers_of(*seconds) : std::nullopt;
        if (seconds && !numbers)
            problems.error("config/bad-keys", span_of(source, key[0]), "seconds are a number");
        if (!numbers) {
            sound = false;
            continue;
        }
        const double time = numbers->front();
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

std::optional<Evaluated> evaluate_list(const ValueExpr& expr, double time, const Lookup& lookup,
                                       Problems& problems) {
    std::vector<double> numbers;
    std::vector<std::string> texts;
    Span first_text;
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
        if (const auto* text = std::get_if<std::string>(&element->value)) {
            if (texts.empty()) first_text = item.span;
            texts.push_back(*text);
        } else if (!components || std::holds_alternative<std::vector<double>>(element->value)) {
            problems.error("config/wrong-type", item.span,
                           fmt::format("a list must hold numbers or texts, not {}",
                                       kind_name(element->value)));
            sound = false;
        } else {
            numbers.push_back(components->front());
        }
    }
    if (!texts.empty() && !numbers.empty()) {
        problems.error("config/wrong-type", first_text,
                       "a list must hold numbers or texts, not a text among numbers");
        sound = false;
    }
    if (!sound) return std::nullopt;
    if (!texts.empty()) return Evaluated{std::move(texts), interpolated};
    return Evaluated{std::move(numbers), interpolated};
}

/// The time that stands for `time` between the first key and the last.
double looped(const ValueExpr& keys, double time) {
    const double first = keys.times.front();
    const double length = keys.times.back() - first;
    if (keys.loop == KeyLoop::hold || length <= 0.0) return time;
    const double passed = (time - first) / length;
    const double lap = std::floor(passed);
    const bool back = keys.loop == KeyLoop::ping_pong && std::fmod(lap, 2.0) != 0.0;
    return first + length * (back ? 1.0 - (passed - lap) : passed - lap);
}

double eased(Easing easing, double t) {
    switch (easing) {
    case Easing::smooth: return t * t * (3.0 - 2.0 * t);
    case Easing::step: return t < 1.0 ? 0.0 : 1.0;
    case Easing::ease_in: return t * t * t;
    case Easing::ease_out: return 1.0 - (1.0 - t) * (1.0 - t) * (1.0 - t);
    case Easing::ease_in_out:
        return t < 0.5 ? 4.0 * t * t * t : 1.0 - 4.0 * (1.0 - t) * (1.0 - t) * (1.0 - t);
    case Easing::linear:
    case Easing::cubic: break;
    }
    return t;
}

/// The slope of the curve at a key between two others, where their lines rise `before` over
/// `length_before` and so on. Fritsch and Butland (1984): no overshoot, so that a range which holds
/// at the keys holds between them.
double slope_at(double before, double length_before, double after, double length_after) {
    if (before * after <= 0.0) return 0.0;
    const double a = 2.0 * length_after + length_before;
    const double b = length_after + 2.0 * length_before;
    return (a + b) / (a / before + b / after);
}

/// What the keys of a track hold, number by number; `is_list` tells one number from a list of one.
struct Track {
    std::vector<double> numbers;
    bool is_list = false;
};

/// Of one number of four keys in a row: the Hermite curve from the second to the third.
double cubic_between(const std::array<double, 4>& values, const std::array<double, 4>& times,
                     double t) {
    std::array<double, 3> lengths{}, rises{};
    for (std::size_t i = 0; i < 3; ++i) {
        lengths[i] = times[i + 1] - times[i];
        rises[i] = lengths[i] > 0.0 ? (values[i + 1] - values[i]) / lengths[i] : 0.0;
    }
    const double from = slope_at(rises[0], lengths[0], rises[1], lengths[1]) * lengths[1];
    const double to = slope_at(rises[1], lengths[1], rises[2], lengths[2]) * lengths[1];
    const double s = 1.0 - t;
    return s * s * (1.0 + 2.0 * t) * values[1] + t * s * s * from +
           t * t * (1.0 + 2.0 * s) * values[2] - t * t * s * to;
}

std::optional<Evaluated> evaluate_keys(const ValueExpr& expr, double time, const Lookup& lookup,
                                       Problems& problems) {
    const double at = looped(expr, time);
    const std::size_t last = expr.times.size() - 1;
    const auto after = std::ranges::upper_bound(expr.times, at);
    const auto next = static_cast<std::size_t>(after - expr.times.begin());
    const std::size_t b = std::min(next, last);
    const std::size_t a = next == 0 ? 0 : next - 1;
    bool sound = true;
    std::optional<Evaluated> first;
    const auto track = [&](std::size_t key) -> Track {
        const auto value = evaluate(expr.items[key], time, lookup, problems);
        auto numbers = value ? numbers_of(value->value) : std::nullopt;
        if (value && !first) first = value;
        const bool fits =
            numbers &&
            numbers->size() == numbers_of(first->value).value_or(std::vector<double>()).size() &&
            std::holds_alternative<std::vector<double>>(value->value) ==
                std::holds_alternative<std::vector<double>>(first->value);
        if (value && !fits)
            problems.error("config/wrong-type", expr.items[key].span,
                           fmt::format("keyframes hold numbers or lists of one length, not {} "
                                       "after {}",
                                       kind_name(value->value), kind_name(first->value)));
        sound = sound && fits;
        if (!fits) return {};
        return {std::move(*numbers), std::holds_alternative<std::vector<double>>(value->value)};
    };
    const bool curved = expr.easing == Easing::cubic && a != b;
    const std::array<std::size_t, 4> keys = {curved && a > 0 ? a - 1 : a, a, b,
                                             curved && b < last ? b + 1 : b};
    std::array<Track, 4> tracks;
    tracks[1] = track(a);
    tracks[2] = a == b ? tracks[1] : track(b);
    if (curved && keys[0] != a) tracks[0] = track(keys[0]);
    if (curved && keys[3] != b) tracks[3] = track(keys[3]);
    if (!sound) return std::nullopt;
    if (tracks[0].numbers.empty()) tracks[0] = tracks[1];
    if (tracks[3].numbers.empty()) tracks[3] = tracks[2];

    std::vector<double> numbers = tracks[1].numbers;
    if (a != b) {
        const double t = (at - expr.times[a]) / (expr.times[b] - expr.times[a]);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = curved
                             ? cubic_between({tracks[0].numbers[i], tracks[1].numbers[i],
                                              tracks[2].numbers[i], tracks[3].numbers[i]},
                                             {expr.times[keys[0]], expr.times[a], expr.times[b],
                                              expr.times[keys[3]]},
                                             t)
                             : std::lerp(numbers[i], tracks[2].numbers[i], eased(expr.easing, t));
    }
    if (tracks[1].is_list) return Evaluated{std::move(numbers), true};
    return Evaluated{numbers.front(), true};
}

/// Where bytes [begin, end) of the formula of `expr` stand in the file; the whole text where it is
/// written with escapes.
Span part_of(const ValueExpr& expr, std::size_t begin, std::size_t end) {
    if (!expr.span.file) return expr.span;
    const std::string_view written =
        expr.span.file->text().substr(expr.span.begin, expr.span.end - expr.span.begin);
    if (written != "\"=" + expr.text + "\"") return expr.span;
    const std::size_t start = expr.span.begin + 2;
    return {expr.span.file, start + begin, start + std::max(end, begin + 1)};
}

void report(const ValueExpr& expr, ExpressionFault fault, Problems& problems) {
    const Span where = part_of(expr, fault.begin, fault.end);
    if (where.begin == expr.span.begin) // quotes and "=" belong to no part
        fault.message += fmt::format(" (character {} of \"={}\")", fault.begin + 2,
                                     expr.text.size() <= 80 ? expr.text : "...");
    problems.error(fault.code, where, std::move(fault.message), std::move(fault.hint));
}

std::optional<Evaluated> evaluate_formula(const ValueExpr& expr, const Lookup& lookup,
                                          Problems& problems) {
    std::vector<ExpressionValue> values;
    bool sound = true;
    for (const Expression::Name& name : expr.formula->names()) {
        const Span where = part_of(expr, name.begin, name.end);
        const std::optional<Evaluated> value = lookup(name.text, where);
        sound = sound && value;
        if (!value) continue;
        if (const auto* truth = std::get_if<bool>(&value->value)) {
            values.emplace_back(*truth);
        } else if (const auto* text = std::get_if<std::string>(&value->value)) {
            values.emplace_back(*text);
        } else if (!numbers_of(value->value) ||
                   std::holds_alternative<std::vector<double>>(value->value)) {
            problems.error("config/wrong-type", where,
                           fmt::format("an expression computes with numbers, and ${} is {}",
                                       name.text, kind_name(value->value)),
                           "write a list of expressions: [\"=2*$x\", \"=2*$y\"]");
            sound = false;
        } else {
            values.emplace_back(numbers_of(value->value)->front());
        }
    }
    if (!sound) return std::nullopt;
    auto result = expr.formula->evaluate(values);
    if (!result) {
        report(expr, std::move(result.error()), problems);
        return std::nullopt;
    }
    return std::visit([](auto& value) { return Evaluated{ParameterValue(std::move(value))}; },
                      *result);
}

} // namespace

bool is_keys(const Json::Value& json) {
    if (!json.isObject() || !json.isMember("keys")) return false;
    const auto known = [](const std::string& key) {
        return key == "keys" || key == "easing" || key == "loop";
    };
    return std::ranges::all_of(json.getMemberNames(), known);
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
        } else if (expr.text.starts_with("==")) {
            expr.text.erase(0, 1); // "==x" is the text "=x"
        } else if (expr.text.starts_with('=')) {
            expr.kind = Kind::formula;
            expr.text.erase(0, 1);
            auto formula = Expression::parse(expr.text);
            if (!formula) {
                report(expr, std::move(formula.error()), problems);
                return std::nullopt;
            }
            expr.formula = std::make_shared<const Expression>(std::move(*formula));
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
                       fmt::format("a value must be a number, text, true, false or a list, not {}",
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
    case ValueExpr::Kind::formula: return evaluate_formula(expr, lookup, problems);
    case ValueExpr::Kind::list: return evaluate_list(expr, time, lookup, problems);
    case ValueExpr::Kind::keys: return evaluate_keys(expr, time, lookup, problems);
    }
    return std::nullopt;
}

std::optional<ParameterValue> constant_value(const SourceFile& source, const Json::Value& json,
                                             Problems& problems) {
    const std::optional<ValueExpr> expr = read_value(source, json, problems);
    if (!expr) return std::nullopt;
    const auto no_names = [&](const std::string& name, Span where) -> std::optional<Evaluated> {
        problems.error(
            "config/unknown-parameter", where,
            fmt::format("${} is not known here: this comes before all parameters", name));
        return std::nullopt;
    };
    std::optional<Evaluated> evaluated = evaluate(*expr, 0.0, no_names, problems);
    if (!evaluated) return std::nullopt;
    return std::move(evaluated->value);
}

void for_each_reference(const ValueExpr& expr,
                        const std::function<void(const std::string&, Span)>& visit) {
    if (expr.kind == ValueExpr::Kind::reference) visit(expr.text, expr.span);
    if (expr.formula)
        for (const Expression::Name& name : expr.formula->names())
            visit(name.text, part_of(expr, name.begin, name.end));
    for (const ValueExpr& item : expr.items)
        for_each_reference(item, visit);
}

bool is_constant(const ValueExpr& expr) {
    if (expr.kind == ValueExpr::Kind::keys) return false;
    bool refers = false;
    for_each_reference(expr, [&](const std::string&, Span) { refers = true; });
    return !refers && std::ranges::all_of(expr.items, is_constant);
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
        std::string operator()(const std::vector<std::string>& v) const {
            return fmt::format("a list of {} texts", v.size());
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
