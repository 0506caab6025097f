#pragma once

#include "apps/shared/file_watch.hpp"
#include "scene/scene_report.hpp"
#include "scene/scene_request.hpp"

#include <tuff/asset_cache.hpp>
#include <tuff/config.hpp>
#include <tuff/device.hpp>
#include <tuff/graph_runner.hpp>
#include <tuff/pass.hpp>
#include <tuff/shader_library.hpp>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace tuff::viewer {

/// One config on a device of its own. Whatever fails, the last graph that worked goes on. Used by
/// one thread.
class SceneSession {
  public:
    /// `registry` must outlive the session. Errors: those of `Device::open`.
    static Result<SceneSession> open(const SceneOptions& options, const PassRegistry& registry);

    /// Reads the config of the request again. On an error the former one goes on.
    Result<void> load(const SceneRequest& request);
    /// Applies edits and the choice of what to show, and compiles where that changes the structure.
    Result<void> update(const SceneRequest& request, const FrameTime& frame);
    /// Submits a frame, waits for it and fetches what is shown.
    Result<void> run(const SceneRequest& request, const FrameTime& frame);
    /// The same in place of the frame that ran last, of which another result is to be seen.
    Result<void> run_again(const SceneRequest& request, const FrameTime& frame);
    /// Fetches another mip or layer of what the last execution left.
    Result<void> show(const SceneRequest& request, const FrameTime& frame);
    Result<void> reset_history();
    /// The capture that was written since the last call; empty: none was.
    std::filesystem::path take_captured() { return std::exchange(captured_, {}); }
    /// Writes a JPEG file, made by the device or by the library (`SceneOptions::jpeg_maker`), which
    /// also makes what the device cannot. Errors: those of `save_image`.
    Result<void> save_jpeg(const JpegOrder& order);

    /// Looks at the files that the graph is made of.
    bool finds_changed_files();
    /// Reads those again that had changed when they were looked at.
    Result<void> reload(const SceneRequest& request);

    /// A pool was too small, so that the graph should be built again.
    bool outgrown() const { return outgrown_; }
    bool has_graph() const { return runner_.executor(); }
    /// Nothing in the graph changes from frame to frame.
    bool still() const;
    /// The graph keeps something from one execution to the next.
    bool has_history() const;
    /// The graph that was compiled last goes on where the one before has ended.
    bool goes_on() const { return runner_.has_carried_history(); }
    const Device& device() const { return *device_; }
    std::shared_ptr<const Panel> panel() const { return panel_; }
    std::shared_ptr<const ParameterValues> values() const { return values_; }
    std::shared_ptr<const Structure> structure() const { return structure_; }
    std::shared_ptr<const Shown> shown() const { return shown_; }
    std::shared_ptr<const VolumeHistograms> histograms() const { return histograms_; }
    Diagnostics warnings() const;
    ExecutionTimings timings() const;
    ExecutorMemory memory() const;
    std::uint32_t compilations() const { return runner_.compilations(); }

  private:
    SceneSession(const SceneOptions& options, const PassRegistry& registry, Device device);
    Result<Config> configured(const SceneRequest& request) const;
    Result<void> fetch(const SceneRequest& request, std::int64_t frame);
    /// Outputs with the range and the counts of a volume, by the node that casts it.
    using KeptHistograms = std::map<std::string, std::array<std::string, 2>>;
    /// Has the graph keep the histograms of the volumes that it casts.
    KeptHistograms keep_histograms(GraphDesc& graph) const;
    Result<void> fetch_histograms();
    /// Executes and waits, and captures that where it is due.
    Result<void> execute(const FrameTime& frame);
    void watch_files();
    Result<void> check_kernels(const ShaderLibrary& library) const;
    Result<void> use_edited_shaders();
    /// Graphs to come use the kernels of the one that runs, for the edited ones failed.
    void keep_good_shaders();

    SceneOptions options_;
    const PassRegistry* registry_;
    std::unique_ptr<Device> device_;
    std::filesystem::path captured_;
    AssetCache assets_;
    std::shared_ptr<ShaderLibrary> shaders_; ///< for graphs to come

    std::optional<Config> config_; ///< as the file has it
    std::shared_ptr<const Panel> panel_;
    Diagnostics warnings_;      ///< of the config
    Diagnostics pass_warnings_; ///< of the last execution
    Diagnostics grown_;         ///< pools, since the config was loaded
    Diagnostics restarted_;     ///< histories, when the graph was compiled
    bool outgrown_ = false;
    cli::FileWatch config_watch_, asset_watch_, shader_watch_;
    struct {
        bool shaders = false, assets = false, config = false;
    } changed_;
    bool config_broken_ = false;  ///< as it stands on the disk
    bool shaders_broken_ = false;

    std::shared_ptr<ShaderLibrary> running_shaders_; ///< of the executor, which outlive it
    std::shared_ptr<const ParameterValues> values_;
    std::shared_ptr<const Structure> structure_;
    GraphRunner runner_;
    std::optional<KeptView> kept_;
    std::shared_ptr<const Shown> shown_;
    KeptHistograms kept_histograms_;
    std::shared_ptr<const VolumeHistograms> histograms_;
};

} // namespace tuff::viewer
