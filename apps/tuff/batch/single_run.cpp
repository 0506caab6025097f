#include "apps/tuff/batch/single_run.hpp"

#include "apps/shared/jpeg_file.hpp"
#include "apps/tuff/report/field_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace tuff::cli {
namespace {

/// Whether an execution finds what earlier ones have left.
bool depends_on_earlier_frames(const Plan& plan) {
    return std::ranges::any_of(plan.graph.resources, [](const ResourceDesc& resource) {
        return resource.lifetime == Lifetime::history;
    });
}

} // namespace

bool is_film(const OutputFile& file) {
    return !file.pattern.numbered() && is_film_name(file.pattern.file(0));
}

Run::Run(const RunOptions& options, const PlannedRun& plan, const OutputFolders& folders,
         RunRecord& record, Checkpointing& checkpoints, Terminal& terminal)
    : options_(options), plan_(plan), folders_(folders), record_(record), terminal_(terminal),
      checkpoints_(checkpoints) {
    for (const OutputFile& file : plan.files)
        films_.push_back(is_film(file) && writes_files()
                             ? std::make_unique<Film>(file.pattern.file(0), options.batch.fps)
                             : nullptr);
}

Outcome<void> Run::operator()(FrameRunner& runner, Watch& watch) {
    Outcome<void> done = run_earlier_frames(runner, watch);
    for (std::int64_t frame = plan_.frames.first; frame < plan_.frames.end && done; ++frame) {
        done = run_frame(runner, frame);
        watch.progress.advance(++watch.frames);
        bool stops = watch.guard.interrupted();
        if (done) done = agree_to_stop(runner, stops);
        if (done) done = checkpoints_.after(runner, frame, stops || is_last(frame));
        keep_new(runner.take_warnings());
        if (done && stops && !is_last(frame)) done = interrupted(frame + 1 - plan_.frames.first);
    }
    watch.progress.clear();
    auto listed = series_.write(folders_);
    if (done && !listed) done = std::unexpected(listed.error());
    if (listed) std::ranges::move(*listed, std::back_inserter(written_));
    terminal_.report(warnings_);
    if (done && has_errors(warnings_)) done = run_failure(warnings_); // failed assertions
    if (done && options_.compile.watch_finite) terminal_.print("all watched numbers are finite\n");
    for (const std::string& line : written_)
        if (!plan_.is_part) terminal_.print(line);
    if (checkpoints_.written())
        terminal_.print(fmt::format("wrote {}\n", checkpoints_.written()->string()));
    terminal_.flush();
    return done;
}

/// Ranks that write a checkpoint together stop after the same frame.
Outcome<void> Run::agree_to_stop(const FrameRunner& runner, bool& stops) const {
    Communicator* const ranks = runner.ranks().communicator;
    if (!ranks || !checkpoints_.keeps()) return {};
    std::array<std::int64_t, 1> any = {stops ? 1 : 0};
    if (auto told = ranks->all_reduce(any, Reduction::max); !told)
        return run_failure(std::move(told.error()));
    stops = any[0] != 0;
    return {};
}

Outcome<void> Run::run_earlier_frames(FrameRunner& runner, Watch& watch) {
    const std::int64_t first = plan_.frames.first;
    if (first == 0 || checkpoints_.is_resumed() || !depends_on_earlier_frames(runner.plan()))
        return {};
    terminal_.report(
        {{.code = "cli/earlier-frames",
          .severity = Severity::note,
          .message = fmt::format("frames 0 to {} are run first and not written, because what "
                                 "follows depends on them",
                                 first - 1)}});
    for (std::int64_t frame = 0; frame < first; ++frame) {
        if (auto run = runner.run(frame_time(frame, options_.batch.fps)); !run) return run;
        record_.add_inputs(runner.asset_files());
        keep_new(runner.take_warnings());
        if (auto checked = check_frame(runner, frame); !checked) return checked;
        if (watch.guard.interrupted()) return interrupted(0);
    }
    return {};
}

Outcome<void> Run::run_frame(FrameRunner& runner, std::int64_t frame) {
    if (auto run = runner.run(frame_time(frame, options_.batch.fps)); !run) return run;
    record_.add_inputs(runner.asset_files());
    keep_new(runner.take_warnings());
    if (auto checked = check_frame(runner, frame); !checked) return checked;
    const bool last = is_last(frame);
    bool is_shown = last;
    for (std::size_t i = 0; i < plan_.files.size(); ++i) {
        const OutputFile& file = plan_.files[i];
        if (!last && !file.pattern.numbered() && !is_film(file)) continue;
        is_shown = true;
        const auto path = ready_file(file, frame, folders_);
        if (!path) return std::unexpected(path.error());
        const auto jpeg = jpeg_of_device(runner, file.output, *path);
        if (auto saved =
                jpeg ? save_jpeg_of_device(*jpeg, i, *path, frame) : save(runner, i, *path, frame);
            !saved)
            return saved;
        if (!writes_files()) continue;
        if (!films_[i] || last)
            record_.add_output(file.output, *path,
                               file.of_field ? pieces_of(*path, runner.ranks())
                                             : std::vector<std::filesystem::path>{});
        series_.add(file, *path, frame_time(frame, options_.batch.fps).time);
        // Frames of a sequence would fill the screen; their pattern is told by the user.
        if (last) written_.push_back(fmt::format("wrote {}\n", path->string()));
    }
    return is_shown ? keep_warnings(runner) : Outcome<void>{};
}

/// Nothing where the device has made no JPEG file of the output, or had no room for it.
std::optional<FetchedOutput> Run::jpeg_of_device(FrameRunner& runner, const std::string& output,
                                                 const std::filesystem::path& path) {
    if (!is_jpeg_name(path) && !is_jpeg_film_name(path)) return {};
    const std::string jpeg = jpeg_output(output);
    const GraphDesc& graph = runner.plan().graph;
    const bool made = std::ranges::any_of(graph.outputs, [&](const OutputDesc& known) {
        return !known.reader && graph.name(known.name) == jpeg;
    });
    if (!made) return {};
    auto file = fetch_output(runner.executor(), jpeg);
    if (!file || !find_jpeg(file->bytes)) return {};
    return std::move(*file);
}

Outcome<void> Run::save_jpeg_of_device(const FetchedOutput& jpeg, std::size_t i,
                                       const std::filesystem::path& path, std::int64_t frame) {
    return films_[i] ? add_to_film(*films_[i], jpeg, is_last(frame))
                     : save_jpeg(jpeg, path, record_.texts(frame));
}

Outcome<void> Run::save(FrameRunner& runner, std::size_t i, const std::filesystem::path& path,
                        std::int64_t frame) {
    const OutputFile& file = plan_.files[i];
    auto fetched = fetch_output(runner.executor(), file.output);
    if (!fetched) return pass_on(std::move(fetched));
    fetched->geometry = runner.geometry_of(file.output);
    if (const auto part = runner.part_of(file.output)) {
        const OutputPart of_field{.part = *part, .ranks = runner.ranks()};
        if (is_shared_file(*fetched, path)) return save_part(*fetched, of_field, path);
        auto whole = gather_field(std::move(*fetched), of_field);
        if (!whole) return pass_on(std::move(whole));
        if (!*whole) return {}; // the first has it
        fetched = std::move(**whole);
    }
    keep_new(clipped_values(file.output, *fetched, path));
    return films_[i] ? add_to_film(*films_[i], *fetched, is_last(frame))
                     : save_output(*fetched, path, record_.texts(frame));
}

Outcome<void> Run::check_frame(FrameRunner& runner, std::int64_t frame) {
    const auto is_check = [](const OutputDesc& status) { return status.reader.names_place(); };
    if (std::ranges::none_of(runner.plan().graph.statuses, is_check)) return {};
    auto found = runner.executor().warnings();
    if (!found) return run_failure(std::move(found.error()));
    std::erase_if(*found, [](const Diagnostic& d) { return d.severity != Severity::error; });
    for (Diagnostic& error : *found)
        error.message += fmt::format(" (frame {})", frame);
    const auto not_finite = std::ranges::find(*found, "graph/not-finite", &Diagnostic::code);
    if (not_finite != found->end()) return run_failure({std::move(*not_finite)});
    keep_new(std::move(*found));
    return {};
}

Outcome<void> Run::keep_warnings(FrameRunner& runner) {
    auto found = runner.executor().warnings();
    if (!found) return run_failure(std::move(found.error()));
    // Those have been told with their frame.
    std::erase_if(*found, [](const Diagnostic& d) { return d.severity == Severity::error; });
    // Of these files the library has made those that had no room.
    std::erase_if(*found, [&](const Diagnostic& d) {
        return d.code == "jpeg/no-room" && std::ranges::any_of(plan_.files, [&](const auto& file) {
                   return d.message.starts_with(jpeg_output(file.output) + ":");
               });
    });
    keep_new(std::move(*found));
    return {};
}

void Run::keep_new(Diagnostics found) {
    for (Diagnostic& warning : found) {
        const std::string_view pass =
            std::string_view(warning.message).substr(0, warning.message.find(':'));
        if (warned_.insert(fmt::format("{} {}", warning.code, pass)).second)
            warnings_.push_back(std::move(warning));
    }
}

Outcome<void> Run::add_to_film(Film& film, const FetchedOutput& fetched, bool last) {
    if (auto added = film.add(fetched); !added || !last) return added;
    return film.finish();
}

Outcome<void> Run::interrupted(std::int64_t frames) const {
    return run_failure(
        fail("cli/interrupted",
             fmt::format("interrupted after {} of {} frames", frames, plan_.frames.count()),
             checkpoints_.written() ? "files written so far are whole; --resume goes on"
                                    : "files written so far are whole")
            .error());
}

} // namespace tuff::cli
