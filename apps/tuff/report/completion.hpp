#pragma once

#include "apps/shared/arguments.hpp"

#include <string>
#include <vector>

namespace tuff::cli {

/// Words that complete what only the running program knows.
struct CompletionWords {
    std::vector<std::string> graphs;
    std::vector<std::string> passes;
};

/// Completion scripts for the whole tree of commands and options below `app`.
std::string bash_completion(const Command& app, const CompletionWords& words);
std::string zsh_completion(const Command& app, const CompletionWords& words);
std::string fish_completion(const Command& app, const CompletionWords& words);

} // namespace tuff::cli
