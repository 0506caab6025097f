#pragma once

#include "model/controls.hpp"
#include "model/transfer.hpp"
#include "model/views.hpp"
#include "scene/scene_request.hpp"

#include <tuff/device_caps.hpp>
#include <tuff/executor.hpp>
#include <tuff/image.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tuff::viewer {

/// What the scene shows of a resource after one execution.
struct Shown {
    View view;
    std::uint32_t mip = 0;
    std::uint32_t layer = 0;
    HostImage image;              ///< of an image: one mip and layer
    std::vector<std::byte> bytes; ///< of a buffer
    std::int64_t frame = 0;
};

/// What a graph consists of; changes when it is compiled again.
struct Structure {
    std::shared_ptr<const Plan> plan;
    std::vector<View> views;
    std::vector<std::string> nodes; ///< of the config, in the order in which they run
};

/// What the config offers; changes when it is read again.
struct Panel {
    std::filesystem::path config;
    std::string description;
    std::vector<Control> controls;
    std::vector<std::filesystem::path> files; ///< that are watched
};

/// How the numbers of the volumes are spread that nodes cast, by the names of these nodes.
using VolumeHistograms = std::map<std::string, VolumeHistogram>;

enum class SceneState : std::uint8_t { idle, building, running };

/// All that the interface shows of the scene. Parts are shared, so that a report costs little.
struct SceneReport {
    std::uint64_t number = 0; ///< counts reports
    SceneState state = SceneState::idle;
    bool paused = false;
    bool has_history = false; ///< frames need those before them
    bool still = true;        ///< nothing changes from frame to frame
    /// What is wrong with what was asked for; what is shown is then of an earlier graph.
    Diagnostics problems;
    Diagnostics warnings;
    std::shared_ptr<const Panel> panel;
    /// What parameters are at the frame, expressions worked out; null before a graph was built.
    std::shared_ptr<const ParameterValues> values;
    std::shared_ptr<const Structure> structure;
    std::shared_ptr<const Shown> shown;
    std::shared_ptr<const VolumeHistograms> histograms; ///< null before the first execution
    std::shared_ptr<const ExecutionTimings> timings;
    ExecutorMemory memory;
    DeviceCaps device;
    std::int64_t frame = 0;
    double seconds_per_frame = 1.0 / 60.0;
    std::uint64_t executions = 0;
    std::uint32_t compilations = 0;
    std::uint32_t reloads = 0; ///< of configs, shaders and assets that changed on disk
    bool recording = false;
    std::size_t recorded = 0;       ///< pictures in the film that is being made
    std::string finished_film;      ///< what became of the last one; empty before
    std::uint64_t saved = 0;        ///< counts JPEG files, and attempts at them
    std::string saved_file;         ///< what became of the last one
    double frames_per_second = 0.0; ///< executions a second lately; 0: not running
};

/// Whether two reports say the same, their numbers and rates apart.
bool is_same(const SceneReport& a, const SceneReport& b);

} // namespace tuff::viewer
