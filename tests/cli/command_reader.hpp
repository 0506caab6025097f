#pragma once

#include <map>
#include <string>
#include <vector>

namespace tuff::test {

/// The commands of a shell script, each as the words that the shell would hand over. Every command
/// must be one of tuff's, however its path is spelled, or its ranks by mpirun; others are returned
/// in `strangers` and none is run.
struct ShellCommands {
    std::vector<std::vector<std::string>> commands; ///< without the program's own name
    std::vector<std::string> strangers;             ///< lines that begin with something else
};
ShellCommands read_commands(const std::string& script);

/// What `tuff manual` and the launcher's help say about commands and their options.
class CommandLine {
  public:
    CommandLine();

    struct Parts {
        std::string command;                  ///< "bench graphs"
        std::vector<std::string> positionals; ///< up to the first option
        std::vector<std::string> sets;        ///< values of --set
        std::vector<std::string> problems;
    };
    /// Takes a command line apart as its command's options want it.
    Parts read(const std::vector<std::string>& words) const;

  private:
    std::map<std::string, std::map<std::string, bool>> commands_; ///< options; true: takes a value
    std::vector<std::string> launcher_;                           ///< words of the launcher
};

} // namespace tuff::test
