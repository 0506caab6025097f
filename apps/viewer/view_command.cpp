#include "apps/shared/flags.hpp"
#include "apps/shared/installed_modules.hpp"
#include "apps/shared/program_options.hpp"
#include "apps/shared/video.hpp"
#include "model/edits.hpp"
#include "model/settings.hpp"
#include "viewer.hpp"

#include <tuff_config.hpp>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <system_error>

namespace tuff::cli {
namespace {

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

/// Before a device is opened, which RenderDoc would not see else. Null: nothing is captured.
Outcome<std::shared_ptr<FrameCapture>> load_capture(const CaptureFlags& flags) {
    if (flags.file.empty() && flags.frame)
        return usage_failure(fail("cli/bad-capture",
                                  "--capture-frame says which frame to capture, "
                                  "and nothing is to be captured",
                                  "--capture FILE.rdc names the file")
                                 .error());
    if (flags.file.empty()) return std::shared_ptr<FrameCapture>();
    auto loaded = load_frame_capture(flags.file);
    if (!loaded) return pass_on(std::move(loaded));
    return std::shared_ptr<FrameCapture>(std::move(*loaded));
}

Outcome<void> view(const ViewOptions& options, Terminal& terminal) {
    viewer::ViewerOptions view;
    if (!options.config.config.empty()) {
        // Mistakes that are there from the start are told on the terminal, as all commands do.
        auto opened = OpenedConfig::open(options.config, terminal);
        if (!opened) return pass_on(std::move(opened));
        auto path = find_config(options.config.config);
        if (!path) return pass_on(std::move(path));
        view.config = std::move(*path);
    }
    auto capture = load_capture(options.capture);
    if (!capture) return pass_on(std::move(capture));
    view.scene = {.device = options.device.select,
                  .validation = options.device.validation,
                  .compile = options.compile,
                  .shaders = options.shaders,
                  .frames_per_second = options.fps,
                  .jpeg_maker = options.jpeg_maker,
                  .capture = std::move(*capture),
                  .captured_frame = options.capture.frame};
    for (const std::string& input : options.config.inputs)
        view.scene.inputs.insert(split_input(input)); // checked where the config was opened
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

} // namespace

Outcome<void> run_view(const ViewOptions& options, Terminal& terminal) {
    return view(options, terminal);
}

} // namespace tuff::cli
