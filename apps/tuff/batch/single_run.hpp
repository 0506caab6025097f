#pragma once

#include "apps/shared/frame_runner.hpp"
#include "apps/shared/interrupt.hpp"
#include "apps/tuff/batch/run_options.hpp"
#include "apps/tuff/batch/run_record.hpp"
#include "apps/tuff/report/checkpointing.hpp"
#include "apps/tuff/report/film.hpp"
#include "apps/tuff/report/output_files.hpp"
#include "apps/tuff/report/volume_series.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tuff::cli {

/// A numbered name is that of a picture, whatever its extension.
bool is_film(const OutputFile& file);

/// How the frames of all runs come along, and whether the user has had enough.
struct Watch {
    explicit Watch(Terminal& terminal, std::uint64_t frames) : progress(terminal, frames) {}
    InterruptGuard guard;
    Progress progress;
    std::uint64_t frames = 0; ///< done
};

/// One run: its frames, and the files that they are written to.
class Run {
  public:
    Run(const RunOptions& options, const PlannedRun& plan, const OutputFolders& folders,
        RunRecord& record, Checkpointing& checkpoints, Terminal& terminal);

    Outcome<void> operator()(FrameRunner& runner, Watch& watch);

    const Diagnostics& warnings() const { return warnings_; }

  private:
    bool is_last(std::int64_t frame) const { return frame + 1 == plan_.frames.end; }

    /// Others have parts of files alone.
    bool writes_files() const {
        return !plan_.divided || !options_.communicator || options_.communicator->rank() == 0;
    }

    /// Those before the first, where the graph finds in a frame what the one before has left.
    Outcome<void> run_earlier_frames(FrameRunner& runner, Watch& watch);

    Outcome<void> agree_to_stop(const FrameRunner& runner, bool& stops) const;

    Outcome<void> run_frame(FrameRunner& runner, std::int64_t frame);

    std::optional<FetchedOutput> jpeg_of_device(FrameRunner& runner, const std::string& output,
                                                const std::filesystem::path& path);
    Outcome<void> save_jpeg_of_device(const FetchedOutput& jpeg, std::size_t i,
                                      const std::filesystem::path& path, std::int64_t frame);
    /// Writes the output of file `i`.
    Outcome<void> save(FrameRunner& runner, std::size_t i, const std::filesystem::path& path,
                       std::int64_t frame);

    /// Looks at what checks of the frame have found, where there are any. Fails where a node has
    /// written a number that is not finite (--watch-nan); failed assertions are kept.
    Outcome<void> check_frame(FrameRunner& runner, std::int64_t frame);

    /// Frames repeat their warnings with other numbers: each kind is told once a pass.
    Outcome<void> keep_warnings(FrameRunner& runner);

    void keep_new(Diagnostics found);

    static Outcome<void> add_to_film(Film& film, const FetchedOutput& fetched, bool last);

    Outcome<void> interrupted(std::int64_t frames) const;

    const RunOptions& options_;
    const PlannedRun& plan_;
    const OutputFolders& folders_;
    RunRecord& record_;
    Terminal& terminal_;
    Checkpointing& checkpoints_;
    VolumeSeries series_;
    std::vector<std::unique_ptr<Film>> films_; ///< one a file; null where it is no film
    std::vector<std::string> written_;
    Diagnostics warnings_; ///< what passes said of the frames that were written; pools that grew
    std::set<std::string> warned_;
};

} // namespace tuff::cli
