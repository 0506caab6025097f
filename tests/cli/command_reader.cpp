#include "command_reader.hpp"

#include "run_tuff.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace tuff::test {

ShellCommands read_commands(const std::string& script) {
    const std::regex comment("\\s*(#.*)?");
    const std::regex ours("^(\\s*(eval \"\\$\\()?)(mpirun -n [0-9]+ )?[A-Za-z0-9_./-]*tuff(?=\\s)");
    const std::regex setting("\\s*export TUFF_[A-Z_]+=\\S+");
    ShellCommands result;
    std::string recording;
    std::istringstream lines(script);
    bool continued = false;
    for (std::string line; std::getline(lines, line);) {
        const bool goes_on = line.ends_with('\\');
        if (continued || std::regex_search(line, ours))
            recording += std::regex_replace(line, ours, "$1record") + '\n';
        else if (!std::regex_match(line, comment) && !std::regex_match(line, setting))
            result.strangers.push_back(line);
        continued = goes_on;
    }
    // The shell itself takes quotes, comments and redirections apart.
    const WorkFolder folder;
    folder.write("docs/README", "redirections may go here");
    const CommandResult run = run_program(
        {"bash", "-c",
         "log=$PWD/log; record() { printf '%s\\037' \"$@\" >>\"$log\"; echo >>\"$log\"; }\n" +
             recording},
        folder.path());
    if (run.exit_code != 0) result.strangers.push_back("the shell says: " + run.errors);
    std::istringstream log(folder.read("log"));
    for (std::string line; std::getline(log, line);) {
        std::vector<std::string> words;
        std::istringstream parts(line);
        for (std::string word; std::getline(parts, word, '\037');)
            words.push_back(word);
        result.commands.push_back(std::move(words));
    }
    return result;
}

CommandLine::CommandLine() {
    const WorkFolder folder;
    std::istringstream manual(run_tuff({"manual"}, folder.path()).output);
    const std::regex row("\\| `(--[a-z-]+)( [^`]+)?` \\|.*");
    std::string command;
    for (std::string line; std::getline(manual, line);) {
        std::smatch option;
        if (line.starts_with("## tuff "))
            commands_[command = line.substr(8)];
        else if (!command.empty() && std::regex_match(line, option, row))
            commands_[command][option[1]] = option[2].matched;
    }
    std::ifstream launcher(std::string(TUFF_TEST_SOURCE_DIR) + "/tuff");
    const std::regex usage("  ([a-z]+) .*");
    for (std::string line; std::getline(launcher, line) && line != "EOF";)
        if (std::smatch word; std::regex_match(line, word, usage)) launcher_.push_back(word[1]);
}

CommandLine::Parts CommandLine::read(const std::vector<std::string>& words) const {
    Parts parts;
    if (words.empty()) return {.problems = {"a command is missing"}};
    if (words == std::vector<std::string>{"--help"} ||
        words == std::vector<std::string>{"--version"})
        return parts;
    parts.command = words[0];
    std::size_t at = 1;
    if (words.size() > 1 && commands_.contains(words[0] + " " + words[1])) {
        parts.command += " " + words[1];
        ++at;
    }
    const auto known = commands_.find(parts.command);
    if (known == commands_.end()) {
        if (std::ranges::find(launcher_, parts.command) == launcher_.end())
            parts.problems.push_back("there is no command " + parts.command);
        return parts;
    }
    bool options_began = false;
    for (; at < words.size(); ++at) {
        const std::string& word = words[at];
        if (!word.starts_with("--")) {
            // Behind an option they may be more values of it.
            if (!options_began) parts.positionals.push_back(word);
            continue;
        }
        options_began = true;
        const std::string name = word.substr(0, word.find('='));
        const auto option = known->second.find(name);
        if (name == "--help") continue;
        if (option == known->second.end()) {
            parts.problems.push_back("tuff " + parts.command + " has no option " + name);
            continue;
        }
        if (!option->second || name != word) continue;
        if (++at == words.size()) {
            parts.problems.push_back(name + " wants a value");
            continue;
        }
        if (name == "--set") parts.sets.push_back(words[at]);
    }
    return parts;
}

} // namespace tuff::test
