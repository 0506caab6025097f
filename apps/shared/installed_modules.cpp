#include "apps/shared/installed_modules.hpp"

#include <tuff_config.hpp>

#include <cstdlib>
#include <filesystem>
#include <ranges>
#include <string_view>
#include <system_error>

namespace tuff::cli {
namespace {

namespace fs = std::filesystem;

/// Where modules lie beside this program, wherever it has been put.
fs::path modules_folder() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    return program.parent_path() / build_config::kModulesDirFromBinary;
}

std::vector<std::string> files_of_environment() {
    const char* value = std::getenv("TUFF_PASSES");
    std::vector<std::string> files;
    for (const auto part : std::views::split(std::string_view(value ? value : ""), ':'))
        if (!part.empty()) files.emplace_back(part.begin(), part.end());
    return files;
}

} // namespace

std::vector<std::string> users_modules(const std::vector<std::string>& files) {
    std::vector<std::string> all = files_of_environment();
    all.insert(all.end(), files.begin(), files.end());
    return all;
}

Outcome<std::shared_ptr<Modules>> find_modules(const std::vector<std::string>& files) {
    auto modules = std::make_shared<Modules>();
    modules->add_folder(modules_folder());
    Diagnostics problems;
    for (const std::string& file : users_modules(files))
        if (auto added = modules->add_file(file); !added)
            problems.insert(problems.end(), added.error().begin(), added.error().end());
    if (!problems.empty()) return usage_failure(std::move(problems));
    return modules;
}

} // namespace tuff::cli
