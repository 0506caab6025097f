#pragma once

#include "apps/shared/device_jpeg.hpp"
#include "apps/shared/frame_capture.hpp"
#include "model/edits.hpp"
#include "model/views.hpp"

#include <tuff/device.hpp>
#include <tuff/modules.hpp>
#include <tuff/plan.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace tuff::viewer {

/// What to look at, and which part of it.
struct ViewChoice {
    ViewKey key;
    std::uint32_t mip = 0;
    std::uint32_t layer = 0;
    friend bool operator==(const ViewChoice&, const ViewChoice&) = default;
};

enum class Transport : std::uint8_t { none, pause, play, step, restart };

/// What the interface wants of the scene. The scene thread takes the newest one.
struct SceneRequest {
    std::filesystem::path config;
    Edits edits;
    ViewChoice view;
    /// Goes up with each opening of a config, so that opening the same one again reads it again.
    std::uint64_t opened = 0;
};

/// What stays the same while the viewer runs.
struct SceneOptions {
    std::string device; ///< as `DeviceRequest::select`
    bool validation = false;
    MessageSink on_message = {}; ///< gets what the validation layer says, from any thread
    CompileOptions compile;
    std::shared_ptr<Modules> modules; ///< the passes and kernels there are
    /// GLSL that replaces the embedded kernels once a file in it is edited; may be empty.
    std::filesystem::path shaders;
    double frames_per_second = 60.0;
    /// Files for the assets and inputs of these names, in whatever config has them.
    std::map<std::string, std::filesystem::path> inputs = {};
    cli::JpegMaker jpeg_maker = cli::JpegMaker::automatic;
    /// Captures one frame, and no other; null: none.
    std::shared_ptr<cli::FrameCapture> capture = {};
    std::optional<std::int64_t> captured_frame = {}; ///< none: the first one that is run
};

/// A JPEG file that is to be written.
struct JpegOrder {
    HostImage picture;
    std::filesystem::path file;
};

} // namespace tuff::viewer
