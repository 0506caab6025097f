#include "core/file_access.hpp"

#include <tuff/assets.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>

namespace tuff {
namespace fs = std::filesystem;
namespace {

struct KnownData {
    std::string_view prefix;
    std::string_view package;
};

/// Debian packages by the folder below /usr/share that they fill.
constexpr std::array<KnownData, 6> kKnownData = {{{"assimp/", "assimp-testmodels"},
                                                  {"blender/", "blender-data"},
                                                  {"glmark2/", "glmark2-data"},
                                                  {"backgrounds/mate/", "mate-backgrounds"},
                                                  {"backgrounds/", "lomiri-wallpapers-16.04"},
                                                  {"mricron/", "mricron-data"}}};

/// The value of an environment variable; an empty one counts as unset, as XDG says.
std::optional<std::string> variable(const char* name) {
    const char* value = std::getenv(name);
    return value && *value ? std::optional<std::string>(value) : std::nullopt;
}

std::vector<fs::path> split_paths(std::string_view list) {
    std::vector<fs::path> paths;
    while (!list.empty()) {
        const std::size_t colon = std::min(list.find(':'), list.size());
        if (colon > 0) paths.emplace_back(list.substr(0, colon));
        list.remove_prefix(std::min(colon + 1, list.size()));
    }
    return paths;
}

std::string install_hint(std::string_view name) {
    for (const KnownData& known : kKnownData)
        if (name.starts_with(known.prefix))
            return fmt::format("install the Debian package '{0}' (apt-get install {0})",
                               known.package);
    return "put it beside the config, or name its folder in TUFF_ASSET_PATH";
}

} // namespace

std::vector<fs::path> asset_folders(const fs::path& base) {
    std::vector<fs::path> folders = {base.empty() ? fs::path(".") : base};
    const auto add = [&](const fs::path& folder) {
        if (std::find(folders.begin(), folders.end(), folder) == folders.end())
            folders.push_back(folder);
    };
    const auto add_absolute = [&](const fs::path& folder) {
        if (folder.is_absolute()) add(folder);
    };
    for (const fs::path& folder : split_paths(variable("TUFF_ASSET_PATH").value_or("")))
        add(folder);
    if (const auto home = variable("XDG_DATA_HOME"))
        add_absolute(*home);
    else if (const auto user = variable("HOME"))
        add_absolute(fs::path(*user) / ".local/share");
    const std::string shared = variable("XDG_DATA_DIRS").value_or("/usr/local/share:/usr/share");
    for (const fs::path& folder : split_paths(shared))
        add_absolute(folder);
    // Where the system tells the running program's place, an installation may be moved as a whole.
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!error) add_absolute(program.parent_path().parent_path() / "share");
    return folders;
}

Result<fs::path> find_asset(std::string_view name, const fs::path& base,
                            std::span<const fs::path> confined_to) {
    const auto check = [&](const fs::path& path) -> Result<fs::path> {
        std::error_code error;
        if (fs::is_regular_file(path, error)) return path;
        return fail("asset/not-a-file", fmt::format("'{}' is not a regular file", path.string()));
    };
    if (name.empty()) return fail("asset/not-found", "an asset has an empty name");

    const fs::path wanted(name);
    std::error_code error;
    if (wanted.is_absolute()) {
        if (auto readable = check_readable(wanted, confined_to); !readable)
            return propagate(std::move(readable));
        if (fs::exists(wanted, error)) return check(wanted);
        return fail("asset/not-found", fmt::format("there is no file '{}'", name));
    }
    std::string looked;
    Result<void> readable;
    for (const fs::path& folder : asset_folders(base)) {
        if (auto found = check_readable(folder / wanted, confined_to); !found) {
            if (readable) readable = std::move(found);
            continue;
        }
        if (fs::exists(folder / wanted, error)) return check(folder / wanted);
        looked += fmt::format("{}'{}'", looked.empty() ? "" : ", ", folder.string());
    }
    if (!readable) return propagate(std::move(readable));
    return fail("asset/not-found", fmt::format("there is no asset '{}' in {}", name, looked),
                install_hint(name));
}

} // namespace tuff
