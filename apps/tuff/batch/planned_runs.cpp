#include "apps/tuff/batch/planned_runs.hpp"

#include "apps/shared/flags.hpp"
#include "apps/shared/jpeg_file.hpp"
#include "apps/shared/video.hpp"
#include "apps/tuff/report/film.hpp"
#include "apps/tuff/report/volume_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>

namespace tuff::cli {
namespace fs = std::filesystem;
namespace {

/// An option's text read by `parse`, into `value`.
template <typename Value, typename Parsed>
std::function<std::string(const std::string&)>
reader(std::string name, Value& value,
       std::expected<Parsed, std::string> (*parse)(std::string_view)) {
    return [name = std::move(name), &value, parse](const std::string& text) {
        auto parsed = parse(text);
        if (!parsed) return name + ": " + parsed.error();
        value = *parsed;
        return std::string();
    };
}

/// Parameters that --set and --sweep both name.
Outcome<void> check_apart(const ConfigFlags& given, const std::vector<SweepAxis>& axes) {
    Diagnostics problems;
    for (const SweepAxis& axis : axes)
        for (const std::string& set : given.sets)
            if (set.starts_with(axis.parameter + "="))
                problems.push_back({.code = "cli/bad-sweep",
                                    .message = fmt::format("\"{}\" is swept, and set by --set {}",
                                                           axis.parameter, set),
                                    .hint = "leave one of the two out"});
    if (!problems.empty()) return usage_failure(std::move(problems));
    return {};
}

std::unexpected<Failure> placed(Outcome<std::string>&& failed, const SourcePlace& where) {
    for (Diagnostic& problem : failed.error().diagnostics)
        problem.where = where;
    return pass_on(std::move(failed));
}

/// `configured` and `outs` with the names that they have in one run.
struct Named {
    std::vector<ConfiguredOutput> configured;
    std::vector<std::string> outs;
};
Outcome<Named> names_of_run(Named names, const PlannedRun& run) {
    for (ConfiguredOutput& output : names.configured) {
        if (output.file.empty()) continue;
        auto file = file_of_run(output.file.string(), run.swept, run.name, RunFolder::first);
        if (!file) return placed(std::move(file), output.where);
        output.file = *file;
    }
    for (std::string& out : names.outs) {
        const std::size_t equals = out.find('=');
        const std::size_t start = equals == std::string::npos ? 0 : equals + 1;
        auto file = file_of_run(out.substr(start), run.swept, run.name, RunFolder::last);
        if (!file) return placed(std::move(file), {.file = "--out " + out, .line_text = {}});
        // Of the first output, where none is named: the file's new name may hold "=".
        const bool is_first = start == 0 && !run.swept.empty() && !names.configured.empty();
        out = (is_first ? names.configured.front().name + "=" : out.substr(0, start)) + *file;
    }
    return names;
}

Diagnostic same_file(const OutputFile& file, std::string message, std::string hint) {
    return {.code = "cli/same-file",
            .message = std::move(message),
            .where = file.configured ? file.configured->where : SourcePlace{},
            .hint = std::move(hint)};
}

/// No file has two writers.
Outcome<void> check_apart(const std::vector<PlannedRun>& runs) {
    struct Writer {
        const PlannedRun* run;
        const OutputFile* output;
    };
    std::map<fs::path, Writer> writers;
    for (const PlannedRun& run : runs)
        for (const OutputFile& file : run.files) {
            const fs::path path = file.pattern.file(run.frames.first);
            const auto [other, fresh] = writers.try_emplace(whole_path(path), Writer{&run, &file});
            if (fresh) continue;
            const bool of_one_run = other->second.run == &run;
            return usage_failure(
                {of_one_run
                     ? same_file(file,
                                 fmt::format("outputs \"{}\" and \"{}\" would both write '{}'",
                                             other->second.output->output, file.output,
                                             path.string()),
                                 "give each a file of its own")
                     : same_file(file,
                                 fmt::format("runs {} and {} would both write '{}'",
                                             other->second.run->name, run.name, path.string()),
                                 fmt::format("name what differs, such as {{{}}}, or no parameter: "
                                             "each run then has a folder",
                                             run.swept.back().parameter))});
        }
    return {};
}

/// Frames are dealt out to shards where each has a file of its own.
Outcome<void> check_divisible(const PlannedRun& run, const Shard& shard) {
    for (const OutputFile& file : run.files)
        if (!file.pattern.numbered())
            return usage_failure({same_file(
                file,
                fmt::format("{} shards would all write '{}'", shard.count,
                            file.pattern.file(run.frames.first).string()),
                "number its frames (frame_%04d.png), or sweep a parameter: then runs are dealt "
                "out")});
    return {};
}

} // namespace

void add_batch_flags(Command& command, BatchFlags& flags) {
    Option* frames = command.add_text_option(
        "--frames", reader("--frames", flags.frames, parse_frames),
        "Frames to run: the first N, or A:B for frames A to B - 1. A graph with a history also "
        "computes the frames before A, but does not write them");
    frames->type_name("N");
    command
        .add_text_option("--time", reader("--time", flags.times, parse_times),
                         "Instead of --frames, in seconds: the frame nearest to T, or A:B for the "
                         "frames from A up to "
                         "B, without B")
        ->type_name("T")
        ->excludes(frames);
    command.add_option("--fps", flags.fps, "Frames a second: $time is frame / fps, $dt is 1 / fps")
        ->type_name("F")
        ->range(1e-3, 1e6);
    const std::string group = "Many runs (docs/batch_runs.md)";
    command
        .add_option("--sweep", flags.sweeps,
                    "Run once for each value of a parameter, named as for --set: sigma=1,2,4, or "
                    "sigma=0:1:5, five values from 0 to 1. Several sweeps make a grid. Each run "
                    "writes into its own folder, or into files with {sigma} in their names")
        ->type_name("NAME=VALUES")
        ->repeated()
        ->group(group);
    command
        .add_text_option("--shard", reader("--shard", flags.shard, parse_shard),
                         "Make part I of N, counted from 1, of the sweep's runs, or of the frames "
                         "if nothing is swept. slurm: take I and N from a Slurm job array")
        ->type_name("I/N")
        ->group(group);
    command
        .add_flag(
            "--manifest", flags.manifest,
            "Write manifest.json, and skip runs that it lists as finished; --sweep and --shard "
            "do so anyway")
        ->group(group);
    command.add_flag("--force", flags.force, "Repeat runs that are finished")->group(group);
    command.add_flag("--list-runs", flags.list, "Only print the runs and which are finished")
        ->group(group);
}

Outcome<std::vector<PlannedRun>> plan_runs(const OpenedConfig& config, const ConfigFlags& given,
                                           const BatchFlags& flags,
                                           const std::vector<std::string>& outs,
                                           const OutputFolders& folders) {
    auto axes = parse_sweeps(flags.sweeps);
    if (!axes) return pass_on(std::move(axes));
    if (auto apart = check_apart(given, *axes); !apart) return pass_on(std::move(apart));
    if (auto sound = check_values(config.config(), *axes); !sound) return pass_on(std::move(sound));
    const Shard shard = flags.shard.value_or(Shard{});
    const FrameRange frames = flags.times ? frames_of(*flags.times, flags.fps) : flags.frames;
    if (frames.count() < 1)
        return usage_failure(fail("cli/usage",
                                  fmt::format("--time: no frame lies within it at {} frames a "
                                              "second",
                                              flags.fps),
                                  "give a longer time, or a higher --fps")
                                 .error());
    const Named names{config.config().outputs(), outs};
    std::vector<PlannedRun> runs;
    for (Settings& settings : grid_of(*axes)) {
        const std::uint64_t number = runs.size();
        PlannedRun run{.number = number,
                       .name = run_name(settings, number),
                       .swept = std::move(settings),
                       .frames = frames,
                       .files = {}};
        const auto named = names_of_run(names, run);
        if (!named) return std::unexpected(named.error());
        // What is wrong with many frames of one run is wrong with those of all.
        const FrameRange looked_at =
            number == 0 ? frames : FrameRange{frames.first, frames.first + 1};
        auto files = plan_output_files(named->configured, named->outs, folders, looked_at);
        if (!files) return pass_on(std::move(files));
        run.files = std::move(*files);
        runs.push_back(std::move(run));
    }
    if (auto apart = check_apart(runs); !apart) return pass_on(std::move(apart));
    if (shard.is_all()) return runs;
    if (!axes->empty()) {
        std::erase_if(runs, [&](const PlannedRun& run) {
            return !shard.has_run(static_cast<std::int64_t>(run.number));
        });
        return runs;
    }
    if (auto divisible = check_divisible(runs.front(), shard); !divisible)
        return pass_on(std::move(divisible));
    runs.front().frames = shard.part_of(frames);
    if (runs.front().frames.count() == 0) runs.clear();
    return runs;
}

std::vector<PlannedRun> parts_of(const PlannedRun& run) {
    constexpr std::int64_t kMaxParts = 64;
    const bool divisible = std::ranges::all_of(run.files, [](const OutputFile& file) {
        return file.pattern.numbered() && !VolumeSeries::has_collection(file);
    });
    if (!divisible || run.files.empty()) return {run};
    const std::int64_t length = (run.frames.count() + kMaxParts - 1) / kMaxParts;
    std::vector<PlannedRun> parts;
    for (std::int64_t first = run.frames.first; first < run.frames.end; first += length) {
        parts.push_back(run);
        parts.back().frames = {first, std::min(first + length, run.frames.end)};
        parts.back().is_part = true;
    }
    return parts;
}

std::set<std::string> jpeg_outputs(const std::vector<PlannedRun>& runs) {
    std::set<std::string> outputs;
    for (const PlannedRun& run : runs)
        for (const OutputFile& file : run.files)
            if (!file.of_field && // whose files are put together by the host
                (is_jpeg_name(file.pattern.file(0)) || is_jpeg_film_name(file.pattern.file(0))))
                outputs.insert(file.output);
    return outputs;
}

std::vector<fs::path> files_of(const PlannedRun& run) {
    std::vector<fs::path> files;
    for (const OutputFile& file : run.files) {
        const std::int64_t end = file.pattern.numbered() ? run.frames.end : run.frames.first + 1;
        for (std::int64_t frame = run.frames.first; frame < end; ++frame)
            files.push_back(whole_path(file.pattern.file(frame)));
    }
    return files;
}

std::string list_of(const std::vector<PlannedRun>& runs, const std::vector<bool>& finished,
                    const TextStyle& style) {
    TextTable table({Align::right});
    table.add({style.heading("run"), style.heading("state"), style.heading("frames"),
               style.heading("parameters"), style.heading("files")});
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const PlannedRun& run = runs[i];
        std::string files;
        for (const OutputFile& file : run.files) {
            const std::string first = file.pattern.file(run.frames.first).string();
            const std::string last = file.pattern.file(run.frames.end - 1).string();
            files += (files.empty() ? "" : " ") + (first == last ? first : first + " .. " + last);
        }
        table.add({fmt::format("{}", run.number + 1),
                   finished[i] ? style.good("finished") : style.warning("to run"),
                   fmt::format("{}:{}", run.frames.first, run.frames.end),
                   run.name.empty() ? "-" : run.name, files});
    }
    return table.text();
}

} // namespace tuff::cli
