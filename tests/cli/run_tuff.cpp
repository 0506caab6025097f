#include "run_tuff.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace tuff::test {
namespace fs = std::filesystem;
namespace {

std::string read_whole(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

fs::path fresh_path(std::string_view what) {
    static std::atomic<int> serial = 0; // names differ within the process, too
    return fs::path(TUFF_TEST_OUTPUT_DIR) / fmt::format("{}-{}-{}", what, getpid(), ++serial);
}

/// In the child: never returns.
[[noreturn]] void become(std::vector<std::string> words, const fs::path& folder,
                         const std::map<std::string, std::string>& environment,
                         const fs::path& output, const fs::path& errors) {
    const auto redirect = [](const fs::path& file, int descriptor) {
        const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (opened < 0 || dup2(opened, descriptor) < 0) _exit(127);
    };
    redirect(output, STDOUT_FILENO);
    redirect(errors, STDERR_FILENO);
    for (const auto& [name, value] : environment)
        setenv(name.c_str(), value.c_str(), 1);
    if (chdir(folder.c_str()) != 0) _exit(127);
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execvp(pointers[0], pointers.data());
    _exit(127);
}

} // namespace

WorkFolder::WorkFolder() : path_(fresh_path("cli")) {
    fs::create_directories(path_);
}

WorkFolder::~WorkFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
}

void WorkFolder::write(const std::string& name, std::string_view text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
}

std::string WorkFolder::read(const std::string& name) const {
    return read_whole(path_ / name);
}

std::vector<std::string> WorkFolder::files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(path_))
        if (!entry.is_directory())
            names.push_back(fs::relative(entry.path(), path_).generic_string());
    std::ranges::sort(names);
    return names;
}

CommandResult run_tuff(const std::vector<std::string>& arguments, const fs::path& folder,
                       const std::map<std::string, std::string>& environment) {
    std::vector<std::string> words = {TUFF_TEST_BINARY};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run_program(words, folder, environment);
}

CommandResult run_program(const std::vector<std::string>& words, const fs::path& folder,
                          const std::map<std::string, std::string>& environment) {
    const fs::path output = fresh_path("stdout");
    const fs::path errors = fresh_path("stderr");
    CommandResult result;
    const pid_t child = fork();
    if (child == 0) become(words, folder, environment, output, errors);
    int status = 0;
    if (child > 0 && waitpid(child, &status, 0) == child)
        result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    result.output = read_whole(output);
    result.errors = read_whole(errors);
    std::error_code error;
    fs::remove(output, error);
    fs::remove(errors, error);
    return result;
}

} // namespace tuff::test
