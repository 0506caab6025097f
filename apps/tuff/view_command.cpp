#include "commands.hpp"
#include "flags.hpp"
#include "installed_modules.hpp"

#include <memory>

#if TUFF_HAS_VIEWER
#include "model/edits.hpp"
#include "model/settings.hpp"
#include "video.hpp"
#include "viewer.hpp"

#include <tuff_config.hpp>

#include <cstdlib>
#include <iostream>
#include <system_error>
#endif

namespace tuff::cli {
namespace {

struct Options {
    ConfigFlags config;
    CompileFlags compile;
    DeviceFlags device;
    std::string interface_device;
    std::string shaders;
    std::string folder = ".";
    std::string state_file;
    double fps = 60.0;
};

#if TUFF_HAS_VIEWER

class FfmpegFilm final : public viewer::Film {
  public:
    FfmpegFilm(const std::filesystem::path& file, double fps) : writer_(file, fps) {}
    Result<void> add(const HostImage& picture) override { return as_result(writer_.add(picture)); }
    Result<void> finish() override { return as_result(writer_.finish()); }

    static Result<void> as_result(Outcome<void> outcome) {
        if (outcome) return {};
        return std::unexpected(std::move(outcome.error().diagnostics));
    }

  private:
    VideoWriter writer_;
};

Result<std::unique_ptr<viewer::Film>> make_film(const std::filesystem::path& file, double fps) {
    if (auto found = FfmpegFilm::as_result(check_ffmpeg()); !found)
        return propagate(std::move(found));
    return std::make_unique<FfmpegFilm>(file, fps);
}

Outcome<void> view(const Options& options, Terminal& terminal) {
    viewer::ViewerOptions view;
    if (!options.config.config.empty()) {
        // Mistakes that are there from the start are told on the terminal, as all commands do.
        auto opened = OpenedConfig::open(options.config, terminal);
        if (!opened) return pass_on(std::move(opened));
        auto path = find_config(options.config.config);
        if (!path) return pass_on(std::move(path));
        view.config = std::move(*path);
    }
    view.scene = {.device = options.device.select,
                  .validation = options.device.validation,
                  .compile = options.compile,
                  .shaders = options.shaders,
                  .frames_per_second = options.fps};
    view.edits = viewer::edits_of(options.config.sets);
    std::error_code error;
    if (view.scene.shaders.empty() &&
        std::filesystem::is_directory(build_config::kShaderSourceDir, error))
        view.scene.shaders = build_config::kShaderSourceDir;
    view.interface_device = options.interface_device;
    view.folder = options.folder;
    view.state_file = options.state_file;
    view.settings = viewer::settings_file();
    view.make_film = make_film;
    view.report = [&terminal](const Diagnostics& problems) { terminal.report(problems); };
    auto modules = find_modules(options.config.modules);
    if (!modules) return pass_on(std::move(modules));
    view.scene.modules = std::move(*modules);
    auto done = viewer::run_viewer(std::move(view));
    if (done) return {};
    Diagnostics problems = std::move(done.error());
    if (problems.front().code == "viewer/stuck") {
        // Its thread cannot be ended, so nothing it might use is taken away.
        terminal.report(problems);
        std::cerr.flush();
        std::_Exit(kExitRunFailed);
    }
    const bool misnamed = problems.front().code == "device/unknown";
    return misnamed ? usage_failure(std::move(problems)) : run_failure(std::move(problems));
}

#else

Outcome<void> view(const Options&, Terminal&) {
    return run_failure(fail("cli/no-viewer", "this tuff was built without its viewer",
                            "install GLFW and Dear ImGui (libglfw3-dev, libimgui-dev) and build "
                            "again, or use 'tuff run' and 'tuff inspect'")
                           .error());
}

#endif

} // namespace

void add_view_command(CLI::App& app, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "view", "Show a running config in a window: intermediates, sliders, times, hot reload");
    command
        ->add_option("config", options->config.config,
                     "Config file, or the name of a shipped graph; default: the last one")
        ->type_name(std::string(kConfigType));
    add_set_flag(*command, options->config.sets);
    add_passes_flag(*command, options->config.modules);
    command->add_option("--fps", options->fps, "Frames a second at most: $time is frame / fps")
        ->type_name("F")
        ->check(CLI::Range(1e-3, 1e6).description(""));
    command
        ->add_option("--shaders", options->shaders,
                     "Folder of GLSL whose kernels replace those built in once one is edited; "
                     "default: the folder Tuff was built from")
        ->type_name(std::string(kFolderType));
    command->add_option("--out-dir", options->folder, "Folder of pictures and films that are saved")
        ->type_name(std::string(kFolderType));
    add_device_flags(*command, options->device);
    command
        ->add_option("--interface-device", options->interface_device,
                     "Device that draws the window; default: the same, or one that can")
        ->type_name(std::string(kDeviceType));
    command
        ->add_option("--state", options->state_file,
                     "Keep FILE up to date with what is shown and where, as JSON, for scripts")
        ->type_name(std::string(kFileType));
    add_compile_flags(*command, options->compile);
    command->footer("Examples:\n  tuff view demo\n"
                    "  tuff view smoke3d --device lavapipe\n"
                    "  tuff view my.json --shaders my_kernels");
    command->callback([options, &action] {
        action = [options](Terminal& terminal) { return view(*options, terminal); };
    });
}

} // namespace tuff::cli
