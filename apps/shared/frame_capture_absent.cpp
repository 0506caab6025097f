#include "apps/shared/frame_capture.hpp"

namespace tuff::cli {

Outcome<std::unique_ptr<FrameCapture>> load_frame_capture(const std::filesystem::path&) {
    return run_failure(
        fail("cli/no-renderdoc",
             "this build of Tuff captures nothing: it was made without RenderDoc",
             "build it where librenderdoc-dev is installed, or run it under `renderdoccmd capture`")
            .error());
}

} // namespace tuff::cli
