#pragma once

#include "model/edits.hpp"

#include <tuff/config.hpp>
#include <tuff/pass.hpp>

#include <json/value.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// `--set` on a command line, for parameters of the config and of the passes that its nodes name.
namespace tuff::viewer {

/// Whether NAME=VALUE is about a node's pass: NODE.PARAMETER=VALUE.
bool is_node_setting(std::string_view setting);

/// The changes that settings make. Values are written as in JSON; texts need no quotes and lists no
/// brackets. Settings without a name are left out.
Edits edits_of(const std::vector<std::string>& settings);

/// The JSON of a config, comments skipped; null where it cannot be read.
Json::Value read_config_json(const std::filesystem::path& path);

/// The config of `root`, read from `path`, with the changes of its nodes made. Errors: those of
/// `Config::parse`, and `config/unknown-parameter`, `pass/wrong-type`, `pass/out-of-range` and
/// `pass/unknown-choice` for changes that no node takes.
Result<Config> with_node_edits(const Json::Value& root, const std::filesystem::path& path,
                               const PassRegistry& registry, const Edits& edits);

} // namespace tuff::viewer
