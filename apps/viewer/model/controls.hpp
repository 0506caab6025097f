#pragma once

#include "model/edits.hpp"

#include <tuff/config.hpp>
#include <tuff/pass.hpp>

#include <json/value.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tuff::viewer {

/// A parameter as the panel shows it, from `describe()` and the config together.
struct Control {
    ParameterKey key;
    std::string pass;    ///< of a node; empty for parameters of the config
    ParameterInfo info;  ///< kind, range, unit, choices; the name without the node's
    ParameterValue base; ///< what it is without changes
    /// What the file says where that is no plain value: "$exposure", "2 * $width", keyframes. A
    /// change replaces it.
    std::string follows;
    bool written = false; ///< the file gives a value; else it is the pass's own default
};

/// All parameters: the config's own first, in the order of the file, then those of each node of the
/// main file by name. `root` is the JSON of the config. A parameter of the config that a pass takes
/// as it is has the unit, choices and kind of the pass's.
std::vector<Control> list_controls(const Json::Value& root, const Config& config);

/// The JSON of a config, comments skipped; null where it cannot be read.
Json::Value read_config_json(const std::filesystem::path& path);

/// A parameter's value from JSON; nothing for expressions, keyframes and values of another kind.
std::optional<ParameterValue> plain_value(const Json::Value& json, ParameterKind kind);

/// Parameters by the names that `Config::set` takes; see `Config::values`.
using ParameterValues = std::map<std::string, ParameterValue, std::less<>>;

/// What the panel shows: the change where there is one, else what `values` say the expression of
/// the file comes to, else what the file says. `values`: null where they are not known.
ParameterValue shown_value(const Control& control, const Edits& edits,
                           const ParameterValues* values);

/// The value with the changes applied; `base` where there is none, or none that can be read.
ParameterValue current_value(const Control& control, const Edits& edits);

} // namespace tuff::viewer
