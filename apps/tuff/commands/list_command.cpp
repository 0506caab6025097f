#include "apps/shared/commands.hpp"
#include "apps/shared/common.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/installed_modules.hpp"
#include "core/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <system_error>

namespace tuff::cli {
namespace {

namespace fs = std::filesystem;

/// Files beyond this are not looked into: a config is written by hand.
constexpr std::uintmax_t kMaxBytes = 4u << 20;

struct ListOptions {
    std::string folder;
};

/// What a config says of itself, or what keeps it from being one.
std::string one_line(const fs::path& file, const PassRegistry& registry) {
    const auto config = Config::load(file, registry);
    if (!config) return fmt::format("({})", config.error().front().message);
    std::string text = config->description();
    if (text.empty()) text = fmt::format("{}x{}", config->width(), config->height());
    if (const auto open = config->open_inputs(); !open.empty()) text += " (has inputs: for use)";
    return text;
}

/// Whether a file says that it is a config, by its member "tuff"; others are not told of.
bool looks_like_config(const fs::path& file) {
    std::error_code error;
    if (file.extension() != ".json" || !fs::is_regular_file(file, error) ||
        fs::file_size(file, error) > kMaxBytes || error)
        return false;
    std::ifstream stream(file, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    return text.contains("\"tuff\"");
}

std::vector<fs::path> configs_below(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator entry(folder, options, error), end;
         !error && entry != end; entry.increment(error)) {
        if (entry->path().filename().string().starts_with('.')) {
            entry.disable_recursion_pending();
            continue;
        }
        if (looks_like_config(entry->path())) found.push_back(entry->path());
    }
    std::ranges::sort(found);
    return found;
}

Outcome<void> list(const ListOptions& options, Terminal& terminal) {
    auto modules = find_modules({});
    if (!modules) return pass_on(std::move(modules));
    const PassRegistry registry(*modules);
    TextTable table;
    if (options.folder.empty()) {
        for (const std::string& name : shipped_graphs())
            if (const auto file = find_config(name)) table.add({name, one_line(*file, registry)});
    } else {
        std::error_code error;
        if (!fs::is_directory(options.folder, error))
            return usage_failure(fail("cli/no-folder",
                                      fmt::format("there is no folder '{}'", options.folder),
                                      "without one, the graphs that come with Tuff are listed")
                                     .error());
        for (const fs::path& file : configs_below(options.folder))
            table.add({file.lexically_normal().string(), one_line(file, registry)});
    }
    terminal.print(table.text());
    return {};
}

} // namespace

void add_list_command(Command& app, Action& action) {
    auto options = std::make_shared<ListOptions>();
    Command* command = app.add_subcommand(
        "list", "List the graphs that come with Tuff, or the configs below a folder");
    command->add_option("folder", options->folder, "Where to look for configs")
        ->type_name(std::string(kFolderType));
    command->footer("Examples:\n  tuff list\n  tuff list .");
    command->callback([options, &action] {
        action = [options](Terminal& terminal) { return list(*options, terminal); };
    });
}

} // namespace tuff::cli
