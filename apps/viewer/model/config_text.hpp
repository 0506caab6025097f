#pragma once

#include "model/edits.hpp"

#include <tuff/diagnostic.hpp>

#include <filesystem>
#include <string>
#include <string_view>

/// Changed parameters written back into the text of a config.
namespace tuff::viewer {

/// The text with the changed values in place of the old ones, and every other byte as it was:
/// comments, order, blanks. A parameter that the text does not give yet is added after its
/// neighbours. `file` names the text in diagnostics. Values that an expression, keyframes, a group
/// or another config gives are refused, all of them at once, for then there is no number to
/// replace. Errors: `viewer/computed`, `viewer/not-in-file`, those of a text that is no JSON.
Result<std::string> with_changes(std::string_view text, const std::filesystem::path& file,
                                 const Edits& edits);

/// The same with the file itself, which is replaced as a whole or stays as it was. A link stays a
/// link. False where it says all of this already. Errors: those of `with_changes`,
/// `config/not-found`, `cli/unwritable`.
Result<bool> save_changes(const std::filesystem::path& file, const Edits& edits);

} // namespace tuff::viewer
