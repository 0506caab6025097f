#pragma once

#include "apps/shared/arguments.hpp"
#include "apps/shared/outcome.hpp"
#include "apps/shared/terminal.hpp"

#include <json/value.h>

#include <functional>
#include <string>
#include <string_view>

/// What commands print with --json: one object, whatever happens, as docs/json_output.md has it.
namespace tuff::cli {

/// Adds --json.
Option* add_json_flag(Command& command, bool& json);

/// A diagnostic as an object.
Json::Value diagnostic_json(const Diagnostic& diagnostic);

/// Does `work`, which fills in the result. With `json` nothing else is printed: the answer holds
/// what it reported and why it failed, on standard output.
Outcome<void> answer(bool json, std::string_view command, Terminal& terminal,
                     const std::function<Outcome<void>(Json::Value& result)>& work);

} // namespace tuff::cli
