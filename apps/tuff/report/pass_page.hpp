#pragma once

#include "core/text_table.hpp"

#include <tuff/pass.hpp>

#include <string>

namespace tuff::cli {

/// The page of one pass, for a terminal: summary, ports, details, parameters, source and a sample
/// node. `registry` has the pass, and the one that documents the camera's parameters.
std::string pass_page(const PassDescriptor& pass, const PassRegistry& registry,
                      const TextStyle& style);

/// A node of a config that runs the pass, with its required inputs and the defaults of its first
/// two parameters, those of the camera left out.
std::string config_snippet(const PassDescriptor& pass);

/// "required", "optional" or "any number".
std::string port_note(const PortInfo& port);
/// "1.5", "[0, 0, 1]", "\"reinhard\"": a value as configs write it.
std::string value_text(const ParameterValue& value);
/// "real", "integer", "vector of 3".
std::string kind_text(const ParameterInfo& parameter);
/// "0 to 1", "at least 0", "a, b or c"; empty where anything goes.
std::string range_text(const ParameterInfo& parameter);

} // namespace tuff::cli
