#include "config/read/read_array_asset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace tuff {
namespace {

/// What numbers in a config may be where the array is of this type.
NumberRule rule_of(ElementType type) {
    NumberRule rule;
    const double bits = 8.0 * static_cast<double>(element_bytes(type));
    const char kind = element_name(type)[0];
    rule.whole = kind != 'f';
    if (rule.whole) {
        // A double cannot tell larger ones apart.
        const double end = std::min(std::exp2(kind == 'u' ? bits : bits - 1), 9007199254740993.0);
        rule.low = kind == 'u' ? 0.0 : std::max(-end, -9007199254740992.0);
        rule.high = end - 1.0;
    } else if (type != ElementType::f64) {
        rule.high = type == ElementType::f32 ? double{std::numeric_limits<float>::max()} : 65504.0;
        rule.low = -rule.high;
    }
    return rule;
}

} // namespace

std::optional<ElementType> read_element_type(const Placed& name, Problems& problems) {
    const std::optional<ElementType> type = parse_element_type(name.text);
    const std::span<const std::string_view> all = element_names();
    if (!type)
        problems.error("config/bad-format", name.span,
                       fmt::format("there is no type of numbers \"{}\"", name.text),
                       suggest(name.text, {all.begin(), all.end()}));
    return type;
}

void read_array_asset(const SourceFile& source, const Json::Value& array, ObjectReader& entry,
                      AssetDecl& decl, Problems& problems) {
    AssetSpec& spec = decl.spec;
    if (const auto type = entry.text("type")) spec.type = read_element_type(*type, problems);
    const auto add = [&](const Json::Value& list, NumberRule rule, const char* key, auto store) {
        rule.what = fmt::format("\"{}\" of {}", key, entry.what());
        if (auto expr = read_value(source, list, problems)) {
            rule.count = std::max<std::size_t>(expr->items.size(), 1);
            decl.numbers.push_back({std::move(*expr), std::move(rule), store});
        }
    };
    if (const Json::Value* shape = entry.find("shape"))
        add(*shape, {.what = {}, .low = 1, .high = 2147483647.0, .whole = true}, "shape",
            [](AssetSpec& s, std::span<const double> sides) {
                s.shape.assign(sides.begin(), sides.end());
            });
    if (array.isString()) {
        spec.file = array.asString();
        if (spec.file.empty())
            problems.error("config/bad-file", entry.span(array), "the file name is empty");
        return;
    }
    if (!array.isArray() || array.empty()) {
        problems.error("config/wrong-type", entry.span(array),
                       fmt::format("\"array\" of {} must be a file or a list of numbers, not {}",
                                   entry.what(),
                                   array.isArray() ? "an empty list" : kind_name(array)));
        return;
    }
    if (!spec.type) spec.type = ElementType::f32;
    if (array[0].isArray() && !entry.has("shape")) // rows of equal length, or read_value reports it
        spec.shape = {array.size(), array[0].size()};
    add(array, rule_of(*spec.type), "array", [](AssetSpec& s, std::span<const double> numbers) {
        s.values.assign(numbers.begin(), numbers.end());
    });
}

} // namespace tuff
