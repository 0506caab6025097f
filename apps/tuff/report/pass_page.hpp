#pragma once

#include "core/text_table.hpp"

#include <tuff/pass.hpp>

#include <string>

namespace tuff::cli {

/// All about one pass, for a terminal: ports, parameters, source, a config that uses it.
std::string pass_page(const PassDescriptor& pass, const TextStyle& style);

/// A node of a config that runs the pass, with its required inputs and the defaults of its
/// parameters.
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
