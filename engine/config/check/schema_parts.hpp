#pragma once

#include <tuff/format.hpp>

#include <fmt/format.h>
#include <json/value.h>

#include <initializer_list>
#include <string>
#include <string_view>

/// What JSON Schemas are put together of.
namespace tuff::schema {

/// A value of a JSON type.
inline Json::Value typed(std::string_view type, std::string_view description = {}) {
    Json::Value schema(Json::objectValue);
    schema["type"] = std::string(type);
    if (!description.empty()) schema["description"] = std::string(description);
    return schema;
}

/// One of the definitions of the same schema.
inline Json::Value reference(std::string_view definition) {
    Json::Value schema(Json::objectValue);
    schema["$ref"] = fmt::format("#/$defs/{}", definition);
    return schema;
}

template <typename Names>
inline Json::Value list_of(const Names& names) {
    Json::Value list(Json::arrayValue);
    for (const auto& name : names)
        list.append(std::string(name));
    return list;
}

/// An object with exactly these members and no others.
inline Json::Value closed_object(const Json::Value& properties) {
    Json::Value schema = typed("object");
    schema["properties"] = properties;
    schema["additionalProperties"] = false;
    return schema;
}

/// An object whose members have free names and one form.
inline Json::Value dictionary(const Json::Value& member, std::string_view description) {
    Json::Value schema = typed("object", description);
    schema["propertyNames"] = reference("name");
    schema["additionalProperties"] = member;
    return schema;
}

inline Json::Value whole_number(double low, double high) {
    Json::Value schema = typed("integer");
    schema["minimum"] = low;
    schema["maximum"] = high;
    return schema;
}

inline Json::Value tuple(const Json::Value& element, Json::ArrayIndex count) {
    Json::Value schema = typed("array");
    schema["items"] = element;
    schema["minItems"] = count;
    schema["maxItems"] = count;
    return schema;
}

inline Json::Value any_of(std::initializer_list<Json::Value> alternatives) {
    Json::Value schema(Json::objectValue);
    for (const Json::Value& alternative : alternatives)
        schema["anyOf"].append(alternative);
    return schema;
}

inline Json::Value format_names() {
    Json::Value formats(Json::arrayValue);
    for (const FormatInfo& format : all_formats())
        if (format.format != Format::undefined) formats.append(std::string(format.name));
    return formats;
}

} // namespace tuff::schema
