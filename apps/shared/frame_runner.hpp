#pragma once

#include "apps/shared/common.hpp"
#include "apps/shared/frame_capture.hpp"

#include <tuff/checkpoint.hpp>
#include <tuff/graph_runner.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace tuff::cli {

/// Time of frame `index` of an animation of `fps` frames a second.
FrameTime frame_time(std::int64_t index, double fps);

/// Runs a config on a device, frame by frame. A frame that differs from the one before in
/// parameters only keeps the plan and everything made from it. Pools that were too small grow.
class FrameRunner {
  public:
    /// Builds and compiles the graph of `first`. Mistakes in the config are found before a device
    /// is opened.
    static Outcome<FrameRunner> start(OpenedConfig& config, const CompileFlags& compile_flags,
                                      const DeviceFlags& device_flags, const FrameTime& first,
                                      Terminal& terminal);
    /// The same on a device that `open_device` has opened, or not.
    static Outcome<FrameRunner> start(OpenedConfig& config, const CompileFlags& compile_flags,
                                      Outcome<Device> device, const FrameTime& first);

    /// Begins another run, for which the config was set otherwise, with a graph for its frame
    /// `first`: histories begin again, and what the runs before have made is kept where it fits.
    Outcome<void> begin_again(const FrameTime& first);

    /// Has `capture` capture a frame, by its number, which is run later.
    void capture(FrameCapture& capture, std::int64_t frame) {
        capture_ = &capture;
        captured_frame_ = frame;
    }

    /// Submits one frame.
    Outcome<void> run(const FrameTime& frame);
    /// Pools that have grown, and histories that began again, since the last call.
    Diagnostics take_warnings() { return std::exchange(warnings_, {}); }

    /// Goes on where a checkpoint was written: the runner was started for that frame, and runs the
    /// next one next. Returns notes.
    Outcome<Diagnostics> resume(const Checkpoint& checkpoint);
    /// Adds a checkpoint of `frame`, which has run last, to a series. Returns its folder.
    Outcome<std::filesystem::path> keep(const FrameTime& frame, CheckpointRun run,
                                        const std::filesystem::path& series);

    /// Waits for all frames and fails if the validation layer had something to say.
    Outcome<void> finish();

    /// Where the texels of an output that is a volume lie, where that is known.
    std::optional<VolumeGeometry> geometry_of(std::string_view output) const;

    /// What an output is a rank's part of, if it is one.
    std::optional<FieldPart> part_of(std::string_view output) const;
    /// The processes that have the config's domain.
    const Ranks& ranks() const { return config_->config().ranks(); }

    /// The passes of the graph that runs.
    const std::vector<ConfiguredNode>& nodes() const { return nodes_; }

    Executor& executor() { return *runner_.executor(); }
    const Plan& plan() const { return *runner_.plan(); }
    const Device& device() const { return *device_; }
    /// The files that the assets of this run were made of so far.
    const std::set<std::filesystem::path>& asset_files() const { return asset_files_; }
    /// How often the graph was compiled, at least 1.
    std::uint32_t compilations() const { return runner_.compilations(); }

  private:
    FrameRunner(OpenedConfig& config, const CompileFlags& flags, Device device);
    Outcome<void> build_for(const FrameTime& frame);
    Outcome<void> grow_pools();
    Outcome<void> take(ConfiguredGraph built, const FrameTime& frame);
    Outcome<void> check_memory(const GraphDesc& graph) const;
    Result<void> execute_captured();

    OpenedConfig* config_;
    CompileFlags flags_;
    std::unique_ptr<Device> device_; ///< behind a pointer, for the runner refers to it
    GraphRunner runner_;
    FrameCapture* capture_ = nullptr; ///< of a frame to come; null: of none
    std::int64_t captured_frame_ = 0;
    Diagnostics warnings_;
    std::vector<ConfiguredOutput> outputs_; ///< of the graph that runs
    std::vector<ConfiguredNode> nodes_;     ///< of it
    std::set<std::filesystem::path> asset_files_;
    std::optional<FrameTime> built_for_; ///< the frame whose parameters the executor has
};

} // namespace tuff::cli
