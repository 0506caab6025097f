#include "apps/shared/commands.hpp"
#include "apps/shared/flags.hpp"
#include "apps/shared/frame_runner.hpp"
#include "apps/shared/interrupt.hpp"
#include "apps/shared/timing_table.hpp"
#include "apps/shared/video.hpp"
#include "apps/tuff/report/output_files.hpp"
#include "apps/tuff/report/volume_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <system_error>

namespace tuff::cli {
namespace {

struct RunOptions {
    ConfigFlags config;
    CompileFlags compile;
    DeviceFlags device;
    std::int64_t frames = 1;
    double fps = 60.0;
    std::vector<std::string> outs;
    std::string out_dir;
    std::vector<std::string> allowed;
    bool timings = false;
};

/// A numbered name is that of a picture, whatever its extension.
bool is_film(const OutputFile& file) {
    return !file.pattern.numbered() && is_video(file.pattern.file(0));
}

/// Fails before anything has run where a file could not be written in the end.
Outcome<void> prepare_files(const std::vector<OutputFile>& files, const OutputFolders& folders) {
    std::error_code ignored; // a folder that cannot be made shows as unwritable
    if (!folders.out_dir.empty()) std::filesystem::create_directories(folders.out_dir, ignored);
    for (const OutputFile& file : files) {
        const auto first = ready_file(file, 0, folders);
        if (!first) return std::unexpected(first.error());
        if (auto writable = check_writable(*first); !writable) return writable;
        if (VolumeSeries::has_collection(file))
            if (auto list = ready_collection(file, folders); !list)
                return std::unexpected(list.error());
        if (!is_film(file)) continue;
        if (auto found = check_ffmpeg(); !found) return found;
    }
    return {};
}

class Run {
  public:
    Run(const RunOptions& options, Terminal& terminal)
        : options_(options),
          terminal_(terminal), folders_{.out_dir = options.out_dir,
                                        .more = {options.allowed.begin(), options.allowed.end()}} {}

    Outcome<void> operator()() {
        auto config = OpenedConfig::open(options_.config, terminal_);
        if (!config) return pass_on(std::move(config));
        auto files =
            plan_output_files(config->config().outputs(), options_.outs, folders_, options_.frames);
        if (!files) return pass_on(std::move(files));
        files_ = std::move(*files);
        if (files_.empty())
            terminal_.report({{.code = "cli/nothing-written",
                               .severity = Severity::warning,
                               .message = "no output of the config names a file",
                               .hint = "--out FILE writes the first output"}});
        if (auto prepared = prepare_files(files_, folders_); !prepared) return prepared;
        for (const OutputFile& file : files_)
            videos_.push_back(
                is_film(file) ? std::make_unique<VideoWriter>(file.pattern.file(0), options_.fps)
                              : nullptr);

        auto runner = FrameRunner::start(*config, options_.compile, options_.device,
                                         frame_time(0, options_.fps), terminal_);
        if (!runner) return pass_on(std::move(runner));
        if (auto run = run_frames(*runner); !run) return run;
        if (auto finished = runner->finish(); !finished) return finished;
        if (options_.timings)
            terminal_.print(timing_table(runner->executor().timings(), terminal_.output_style()));
        return {};
    }

  private:
    Outcome<void> run_frames(FrameRunner& runner) {
        const InterruptGuard guard;
        Progress progress(terminal_, static_cast<std::uint64_t>(options_.frames));
        Outcome<void> done;
        for (std::int64_t frame = 0; frame < options_.frames && done; ++frame) {
            done = run_frame(runner, frame);
            progress.advance(static_cast<std::uint64_t>(frame + 1));
            if (done && guard.interrupted()) done = interrupted(frame + 1);
        }
        progress.clear();
        auto listed = series_.write(folders_);
        if (done && !listed) done = std::unexpected(listed.error());
        if (listed) std::ranges::move(*listed, std::back_inserter(written_));
        terminal_.report(warnings_);
        for (const std::string& line : written_)
            terminal_.print(line);
        return done;
    }

    Outcome<void> run_frame(FrameRunner& runner, std::int64_t frame) {
        if (auto run = runner.run(frame_time(frame, options_.fps)); !run) return run;
        keep_new(runner.take_warnings());
        const bool last = frame + 1 == options_.frames;
        bool is_shown = last;
        for (std::size_t i = 0; i < files_.size(); ++i) {
            const OutputFile& file = files_[i];
            if (!last && !file.pattern.numbered() && !videos_[i]) continue;
            is_shown = true;
            auto fetched = fetch_output(runner.executor(), file.output);
            if (!fetched) return pass_on(std::move(fetched));
            const auto path = ready_file(file, frame, folders_);
            if (!path) return std::unexpected(path.error());
            fetched->geometry = runner.geometry_of(file.output);
            keep_new(clipped_values(file.output, *fetched, *path));
            auto saved = videos_[i] ? add_to_film(*videos_[i], *fetched, last)
                                    : save_output(*fetched, *path);
            if (!saved) return saved;
            series_.add(file, *path, frame_time(frame, options_.fps).time);
            // Frames of a sequence would fill the screen; their pattern is told by the user.
            if (last) written_.push_back(fmt::format("wrote {}\n", path->string()));
        }
        return is_shown ? keep_warnings(runner) : Outcome<void>{};
    }

    /// Frames repeat their warnings with other numbers: each kind is told once a pass.
    Outcome<void> keep_warnings(FrameRunner& runner) {
        auto found = runner.executor().warnings();
        if (!found) return run_failure(std::move(found.error()));
        keep_new(std::move(*found));
        return {};
    }

    void keep_new(Diagnostics found) {
        for (Diagnostic& warning : found) {
            const std::string_view pass =
                std::string_view(warning.message).substr(0, warning.message.find(':'));
            if (warned_.insert(fmt::format("{} {}", warning.code, pass)).second)
                warnings_.push_back(std::move(warning));
        }
    }

    static Outcome<void> add_to_film(VideoWriter& film, const FetchedOutput& fetched, bool last) {
        if (!fetched.is_image)
            return run_failure(
                fail("cli/video", "a film is made of pictures, and the output is a buffer")
                    .error());
        if (auto added = film.add(fetched.image); !added || !last) return added;
        return film.finish();
    }

    Outcome<void> interrupted(std::int64_t frames) const {
        return run_failure(
            fail("cli/interrupted",
                 fmt::format("interrupted after {} of {} frames", frames, options_.frames),
                 "files written so far are whole")
                .error());
    }

    const RunOptions& options_;
    Terminal& terminal_;
    OutputFolders folders_;
    std::vector<OutputFile> files_;
    std::vector<std::unique_ptr<VideoWriter>> videos_; ///< one a file; null where it is no film
    std::vector<std::string> written_;
    VolumeSeries series_;
    Diagnostics warnings_; ///< what passes said of the frames that were written; pools that grew
    std::set<std::string> warned_;
};

} // namespace

void add_run_command(Command& app, Action& action) {
    auto options = std::make_shared<RunOptions>();
    options->compile.constant = ConstantWork::once;
    Command* command = app.add_subcommand("run", "Run a config and write its outputs to files");
    add_config_flags(*command, options->config);
    command->add_option("--frames", options->frames, "Frames to run")
        ->type_name("N")
        ->range(1, 1'000'000'000);
    command->add_option("--fps", options->fps, "Frames a second: $time is frame / fps")
        ->type_name("F")
        ->range(1e-3, 1e6);
    command
        ->add_option("--out", options->outs,
                     "Write the first output to FILE, or output NAME to FILE; %04d in a name "
                     "writes every frame, and FILE.mp4, .gif or .webp makes a film (by ffmpeg)")
        ->type_name("[NAME=]FILE")
        ->repeated();
    command->add_option("--out-dir", options->out_dir, "Folder of the files that the config names")
        ->type_name(std::string(kFolderType));
    command
        ->add_option("--allow-write", options->allowed,
                     "The files that the config names may lie in this folder, too")
        ->type_name(std::string(kFolderType))
        ->repeated();
    command->add_flag("--timings", options->timings, "Print how long each node took on the device");
    add_device_flags(*command, options->device);
    add_compile_flags(*command, options->compile);
    command->footer("Examples:\n  tuff run demo --out-dir out\n"
                    "  tuff run demo --set exposure=2 --device lavapipe --out hot.png\n"
                    "  tuff run spin.json --frames 120 --fps 30 --out 'frames/%04d.png'\n"
                    "  tuff run jet --frames 300 --fps 30 --out jet.mp4");
    command->callback([options, &action] {
        action = [options](Terminal& terminal) {
            return within_limits(options->config.confinement,
                                 [&] { return Run(*options, terminal)(); });
        };
    });
}

} // namespace tuff::cli
