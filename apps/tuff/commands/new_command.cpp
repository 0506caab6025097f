#include "apps/shared/commands.hpp"
#include "apps/shared/common.hpp"
#include "apps/shared/flags.hpp"
#include "core/file_access.hpp"

#include <fmt/format.h>
#include <tuff_cli_files.hpp>

#include <memory>
#include <system_error>

namespace tuff::cli {
namespace {

enum class Template : std::uint8_t { picture, simulation, scene };

struct NewOptions {
    std::string name = "graph";
    Template which = Template::picture;
};

std::string_view text_of(Template which) {
    switch (which) {
    case Template::simulation: return files::simulation_json();
    case Template::scene: return files::scene_json();
    case Template::picture: break;
    }
    return files::picture_json();
}

Outcome<void> make_config(const NewOptions& options, Terminal& terminal) {
    std::filesystem::path file = options.name;
    if (file.extension() != ".json") file += ".json";
    if (auto writable = check_writable(file); !writable) return writable;
    std::error_code ignored;
    // A dangling link is somebody's file, too.
    if (std::filesystem::exists(std::filesystem::symlink_status(file, ignored)))
        return usage_failure(fail("cli/file-exists",
                                  fmt::format("'{}' exists already", file.string()),
                                  "give another name; files are never overwritten")
                                 .error());
    if (auto written = write_text_file(file, text_of(options.which)); !written) return written;
    terminal.print(fmt::format("wrote {}\n\nNext:\n  tuff run {} --out-dir out\n  tuff view {}\n",
                               file.string(), file.string(), file.string()));
    return {};
}

} // namespace

void add_new_command(Command& app, Action& action) {
    auto options = std::make_shared<NewOptions>();
    Command* command =
        app.add_subcommand("new", "Write a small config that works, with a kernel of its own");
    command
        ->add_option("name", options->name,
                     "The file, with or without .json; default: graph.json. Never overwritten")
        ->type_name(std::string(kFileType));
    add_choice(*command, "--template", options->which, {"picture", "simulation", "scene"},
               "Kind of config: an effect on a picture; a state that each frame changes; objects "
               "in sunlight with an effect");
    command->footer("Examples:\n  tuff new glow\n  tuff new waves --template simulation");
    command->callback([options, &action] {
        action = [options](Terminal& terminal) { return make_config(*options, terminal); };
    });
}

} // namespace tuff::cli
