#pragma once

#include <tuff/config.hpp>

#include <json/value.h>

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tuff::viewer {

/// A parameter that can be changed: one of the config, or one of a pass that a node of the config
/// names.
struct ParameterKey {
    std::string node; ///< empty: a parameter of the config
    std::string name; ///< "exposure", "camera.position"
    friend auto operator<=>(const ParameterKey&, const ParameterKey&) = default;
};

/// As `Config::set` takes it.
std::string full_name(const ParameterKey& key);

/// What has been changed since the config was opened, as JSON texts.
using Edits = std::map<ParameterKey, std::string>;

/// Nothing where the text is no JSON.
std::optional<Json::Value> parse_json_text(const std::string& text);

/// The value as JSON, with as few digits as tell it apart from its neighbours.
std::string json_text(const ParameterValue& value);

/// `--set` options that make the same changes, quoted for a shell. Changes of passes come as
/// `--set node.parameter=value`.
std::string set_options(const Edits& edits);

/// The changes that `--set` options make. Settings without a name are left out.
Edits edits_of(const std::vector<std::string>& settings);

} // namespace tuff::viewer
