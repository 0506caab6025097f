#include "apps/tuff/other_programs.hpp"

#include "apps/shared/outcome.hpp"
#include "apps/shared/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace tuff::cli {

bool has_own_program(std::string_view command) {
    return command == "bench" || command == "view";
}

int start_program(const std::vector<std::string>& arguments) {
    namespace fs = std::filesystem;
    std::error_code error;
    const std::string name = "tuff-" + arguments.front();
    const fs::path program = fs::read_symlink("/proc/self/exe", error).replace_filename(name);
    std::vector<std::string> words = arguments;
    words.front() = program.string();
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(pointers.front(), pointers.data());
    Terminal terminal = Terminal::attach();
    terminal.report({{.code = "cli/no-program",
                      .message = fmt::format("'tuff {}' is the program {}, which is not beside "
                                             "this one",
                                             arguments.front(), name),
                      .where = {},
                      .hint = fmt::format("build it with './tuff build {}'; the viewer needs GLFW "
                                          "and Dear ImGui (libglfw3-dev, libimgui-dev)",
                                          name)}});
    return kExitRunFailed;
}

} // namespace tuff::cli
