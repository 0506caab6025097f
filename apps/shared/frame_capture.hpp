#pragma once

#include "apps/shared/outcome.hpp"

#include <tuff/device.hpp>
#include <tuff/diagnostic.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace tuff::cli {

/// --capture and --capture-frame.
struct CaptureFlags {
    std::string file; ///< empty: nothing is captured
    std::optional<std::int64_t> frame;
};

/// A file of RenderDoc's with all that one frame does on a device.
class FrameCapture {
  public:
    /// Leaves nothing behind where the frame was not captured in full.
    virtual ~FrameCapture() = default;
    /// Of a device that was opened after the capture was loaded. Error: cli/capture-failed.
    virtual Result<void> begin(const Device& device) = 0;
    /// Writes the file, whole or not at all. The device has finished the frame. Errors:
    /// cli/capture-failed, cli/unwritable.
    virtual Result<void> end() = 0;
    /// That the user has named.
    virtual const std::filesystem::path& file() const = 0;
};

/// Takes RenderDoc into the process, so that devices which are opened afterwards can be captured.
/// Errors: cli/no-renderdoc, cli/unwritable.
Outcome<std::unique_ptr<FrameCapture>> load_frame_capture(const std::filesystem::path& file);

/// Why no device could be opened, with what RenderDoc has to do with that before it.
Diagnostics explain_capture(Diagnostics problems);

} // namespace tuff::cli
