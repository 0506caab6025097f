#pragma once

#include <tuff/config.hpp>

#include <json/value.h>

#include <compare>
#include <map>
#include <string>
#include <string_view>

namespace tuff::viewer {

/// A parameter that can be changed: one of the config, or one of a pass that a node of the config
/// names.
struct ParameterKey {
    std::string node; ///< empty: a parameter of the config
    std::string name; ///< "exposure", "camera.position"
    friend auto operator<=>(const ParameterKey&, const ParameterKey&) = default;
};

/// What has been changed since the config was opened, as JSON texts.
using Edits = std::map<ParameterKey, std::string>;

/// The value as JSON, with as few digits as tell it apart from its neighbours.
std::string json_text(const ParameterValue& value);

/// `--set` options that make the same changes, quoted for a shell. Changes of passes come as
/// `--set node.parameter=value`.
std::string set_options(const Edits& edits);

/// Changes the parameters of nodes in the JSON of a config. Nodes that are gone are skipped.
void apply_node_edits(Json::Value& root, const Edits& edits);

bool has_node_edits(const Edits& edits);

} // namespace tuff::viewer
