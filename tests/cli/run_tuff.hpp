#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tuff::test {

/// An environment in which no Vulkan device is found.
inline const std::map<std::string, std::string> kNoDevice = {
    {"VK_DRIVER_FILES", "/nonexistent"},
    {"VK_ICD_FILENAMES", "/nonexistent"},
    {"TUFF_SWIFTSHADER_ICD", "/nonexistent"},
    {"TUFF_LAVAPIPE_ICD", "/nonexistent"},
};

/// What a run of the built command line left.
struct CommandResult {
    int exit_code = -1; ///< -1: could not be started; 128 + n: killed by signal n
    std::string output; ///< standard output
    std::string errors; ///< standard error
};

/// An empty folder of its own for one test, removed with everything in it at the end.
class WorkFolder {
  public:
    WorkFolder();
    ~WorkFolder();
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    void write(const std::string& name, std::string_view text) const;
    std::string read(const std::string& name) const;
    /// Names of all files below the folder, sorted.
    std::vector<std::string> files() const;

  private:
    std::filesystem::path path_;
};

/// Starts `tuff` with `arguments` in `folder` and waits for it. Its environment is this process's
/// with `environment` set.
CommandResult run_tuff(const std::vector<std::string>& arguments,
                       const std::filesystem::path& folder,
                       const std::map<std::string, std::string>& environment = {});

/// The same for any program: a path, or a name that is looked for on the PATH, and its arguments.
CommandResult run_program(const std::vector<std::string>& words,
                          const std::filesystem::path& folder,
                          const std::map<std::string, std::string>& environment = {});

} // namespace tuff::test
