#include "apps/shared/common.hpp"

#include <tuff/assets.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tuff_config.hpp>

#include <algorithm>
#include <set>
#include <system_error>

namespace tuff::cli {
namespace fs = std::filesystem;

std::vector<fs::path> graph_folders() {
    std::vector<fs::path> folders = {fs::path("apps") / "graphs"};
    std::error_code error;
    // Where the system tells the running binary's place, an installation may be moved as a whole.
    const fs::path binary = fs::read_symlink("/proc/self/exe", error);
    if (!error)
        folders.push_back((binary.parent_path() / build_config::kDataDirFromBinary / "graphs")
                              .lexically_normal());
    for (const fs::path& folder : asset_folders())
        folders.push_back(folder / "tuff" / "graphs");
    folders.emplace_back(build_config::kGraphSourceDir);
    std::erase_if(folders, [&](const fs::path& f) { return !fs::is_directory(f, error); });
    return folders;
}

std::vector<std::string> shipped_graphs() {
    std::set<std::string> names;
    for (const fs::path& folder : graph_folders()) {
        std::error_code error;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
            if (entry.path().extension() == ".json") names.insert(entry.path().stem().string());
    }
    return {names.begin(), names.end()};
}

Outcome<fs::path> find_config(std::string_view name) {
    const fs::path path(name);
    std::error_code error;
    // A folder of the name of a graph (apps/tuff beside a graph "tuff") is not meant.
    const bool bare = !path.has_parent_path() && !path.has_extension() && !name.empty();
    if (!bare || fs::is_regular_file(path, error)) return path;
    for (const fs::path& folder : graph_folders()) {
        fs::path shipped = folder / fmt::format("{}.json", name);
        if (fs::is_regular_file(shipped, error)) return shipped;
    }
    const std::vector<std::string> known = shipped_graphs();
    const std::string_view near = nearest_name(name, known);
    std::string hint = "give the path of a config file";
    if (!near.empty())
        hint = fmt::format("did you mean '{}'?", near);
    else if (!known.empty())
        hint = fmt::format("give a path, or one of: {}", fmt::join(known, ", "));
    return usage_failure(fail("cli/unknown-graph",
                              fmt::format("'{}' is neither a file nor the name of a graph that "
                                          "comes with Tuff",
                                          name),
                              hint)
                             .error());
}

} // namespace tuff::cli
