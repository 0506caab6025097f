#include "config/read/object_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuff {

ObjectReader::ObjectReader(const SourceFile& source, const Json::Value& json, std::string what,
                           Problems& problems)
    : source_(source), json_(json), what_(std::move(what)), problems_(problems) {
    if (!json_.isObject())
        problems_.error("config/wrong-type", span(),
                        fmt::format("{} must be an object, not {}", what_, kind_name(json_)));
}

bool ObjectReader::has(const std::string& key) {
    return find(key) != nullptr;
}

const Json::Value* ObjectReader::find(const std::string& key) {
    if (std::ranges::find(known_, key) == known_.end()) known_.push_back(key);
    if (!json_.isObject() || !json_.isMember(key)) return nullptr;
    return &json_[key];
}

const Json::Value* ObjectReader::find_object(const std::string& key) {
    const Json::Value* value = find(key);
    if (value && !value->isObject()) {
        wrong_type(key, "an object", *value);
        return nullptr;
    }
    return value;
}

void ObjectReader::require(const std::string& key) {
    if (json_.isObject() && !has(key))
        problems_.error("config/missing-key", span(), fmt::format("{} lacks \"{}\"", what_, key));
}

std::optional<Placed> ObjectReader::text(const std::string& key) {
    const Json::Value* value = find(key);
    if (!value) return std::nullopt;
    if (!value->isString()) {
        wrong_type(key, "a text", *value);
        return std::nullopt;
    }
    return Placed{value->asString(), span(*value)};
}

std::optional<bool> ObjectReader::boolean(const std::string& key) {
    const Json::Value* value = find(key);
    if (!value) return std::nullopt;
    if (!value->isBool()) {
        wrong_type(key, "true or false", *value);
        return std::nullopt;
    }
    return value->asBool();
}

std::optional<std::uint64_t> ObjectReader::whole(const std::string& key, std::uint64_t low,
                                                 std::uint64_t high) {
    const Json::Value* value = find(key);
    if (!value) return std::nullopt;
    if (!value->isNumeric()) {
        wrong_type(key, "a whole number", *value);
        return std::nullopt;
    }
    if (!value->isUInt64() || value->asUInt64() < low || value->asUInt64() > high) {
        problems_.error(
            "config/out-of-range", span(*value),
            fmt::format("\"{}\" of {} is a whole number from {} to {}", key, what_, low, high));
        return std::nullopt;
    }
    return value->asUInt64();
}

std::optional<std::vector<double>> ObjectReader::numbers(const std::string& key,
                                                         std::size_t count) {
    const Json::Value* value = find(key);
    if (!value) return std::nullopt;
    if (!value->isArray() || value->size() != count) {
        wrong_type(key, fmt::format("a list of {} numbers", count), *value);
        return std::nullopt;
    }
    std::vector<double> result;
    for (const Json::Value& element : *value) {
        const std::optional<ParameterValue> given = constant_value(source_, element, problems_);
        if (!given) return std::nullopt;
        if (const auto* whole = std::get_if<std::int64_t>(&*given))
            result.push_back(static_cast<double>(*whole));
        else if (const auto* real = std::get_if<double>(&*given))
            result.push_back(*real);
    }
    if (result.size() == count) return result;
    wrong_type(key, fmt::format("a list of {} numbers", count), *value);
    return std::nullopt;
}

std::optional<std::array<std::uint32_t, 2>> ObjectReader::size(const std::string& key) {
    const auto sides = numbers(key, 2);
    if (!sides) return std::nullopt;
    std::array<std::uint32_t, 2> result{};
    for (Json::ArrayIndex i = 0; i < 2; ++i) {
        const double side = (*sides)[i];
        if (side < 1 || side > kMaxConfigSide ||
            side != static_cast<double>(static_cast<std::uint32_t>(side))) {
            problems_.error(
                "config/bad-size", span(json_[key][i]),
                fmt::format("a side of a size must be a whole number from 1 to {}, not {}",
                            kMaxConfigSide, side));
            return std::nullopt;
        }
        result[i] = static_cast<std::uint32_t>(side);
    }
    return result;
}

void ObjectReader::finish() {
    if (!json_.isObject()) return;
    for (const std::string& key : json_.getMemberNames())
        if (std::ranges::find(known_, key) == known_.end())
            problems_.error("config/unknown-key", this->key(key),
                            fmt::format("{} has no key \"{}\"", what_, key), suggest(key, known_));
}

void ObjectReader::wrong_type(const std::string& key, std::string_view expected,
                              const Json::Value& value) {
    const std::string got =
        value.isArray() ? fmt::format("a list of {}", value.size()) : kind_name(value);
    problems_.error("config/wrong-type", span(value),
                    fmt::format("\"{}\" of {} must be {}, not {}", key, what_, expected, got));
}

} // namespace tuff
