// Captures by RenderDoc's interface for programs:
// https://renderdoc.org/docs/in_application_api.html

#include "apps/shared/frame_capture.hpp"

#include "apps/shared/common.hpp"
#include "gpu/device/device_impl.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <renderdoc_app.h>

#include <cstdlib>
#include <system_error>
#include <vector>

namespace tuff::cli {
namespace fs = std::filesystem;
namespace {

using RenderDoc = RENDERDOC_API_1_4_0;

std::unexpected<Diagnostics> capture_failed(std::string message) {
    return fail("cli/capture-failed", std::move(message),
                "RenderDoc's log, in the folder RenderDoc of the temporary files, may say why");
}

/// A folder of its own in `parent`, which is removed with what is in it.
class CaptureFolder {
  public:
    explicit CaptureFolder(const fs::path& parent) {
        std::string pattern = (parent / ".capture-XXXXXX").string();
        if (mkdtemp(pattern.data())) path_ = pattern;
    }
    ~CaptureFolder() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }
    CaptureFolder(const CaptureFolder&) = delete;
    CaptureFolder& operator=(const CaptureFolder&) = delete;

    const fs::path& path() const { return path_; } ///< empty: it could not be made

  private:
    fs::path path_;
};

class RenderDocCapture final : public FrameCapture {
  public:
    RenderDocCapture(RenderDoc& renderdoc, fs::path file)
        : renderdoc_(renderdoc), file_(std::move(file)) {
        renderdoc_.SetCaptureKeys(nullptr, 0); // one frame, and no other
        renderdoc_.MaskOverlayBits(eRENDERDOC_Overlay_None, eRENDERDOC_Overlay_None);
    }
    ~RenderDocCapture() override {
        if (of_) renderdoc_.DiscardFrameCapture(of_, nullptr);
    }

    Result<void> begin(const Device& device) override {
        folder_.emplace(file_.has_parent_path() ? file_.parent_path() : fs::path("."));
        if (folder_->path().empty()) return not_written("its folder takes no files");
        renderdoc_.SetCaptureFilePathTemplate((folder_->path() / "frame").c_str());
        captures_ = renderdoc_.GetNumCaptures();
        RENDERDOC_DevicePointer const of =
            RENDERDOC_DEVICEPOINTER_FROM_VKINSTANCE(device.impl().instance->handle());
        renderdoc_.StartFrameCapture(of, nullptr);
        if (renderdoc_.IsFrameCapturing() == 0)
            return fail("cli/capture-failed",
                        fmt::format("RenderDoc does not see the device '{}'", device.caps().name),
                        "its Vulkan layer, VK_LAYER_RENDERDOC_Capture, has to be installed and not "
                        "disabled: `vulkaninfo` lists layers");
        of_ = of;
        return {};
    }

    Result<void> end() override {
        RENDERDOC_DevicePointer const of = std::exchange(of_, nullptr);
        if (renderdoc_.EndFrameCapture(of, nullptr) == 0)
            return capture_failed("RenderDoc could not capture the frame");
        if (renderdoc_.GetNumCaptures() <= captures_)
            return capture_failed("RenderDoc has written no capture");
        std::uint32_t length = 0;
        renderdoc_.GetCapture(captures_, nullptr, &length, nullptr);
        std::vector<char> name(length + 1, '\0');
        renderdoc_.GetCapture(captures_, name.data(), &length, nullptr);
        std::error_code error;
        fs::rename(name.data(), file_, error);
        if (error) return not_written(error.message());
        folder_.reset();
        return {};
    }

    const fs::path& file() const override { return file_; }

  private:
    Result<void> not_written(const std::string& reason) const {
        return fail("cli/unwritable", fmt::format("cannot write '{}': {}", file_.string(), reason),
                    "choose a file in a folder that exists and may be written to");
    }

    RenderDoc& renderdoc_;
    fs::path file_;
    std::optional<CaptureFolder> folder_;
    RENDERDOC_DevicePointer of_ = nullptr; ///< what is captured now
    std::uint32_t captures_ = 0;           ///< of the process before it
};

} // namespace

Outcome<std::unique_ptr<FrameCapture>> load_frame_capture(const fs::path& file) {
    if (auto writable = check_writable(file); !writable) return pass_on(std::move(writable));
    const auto no_renderdoc = [](std::string message) {
        return run_failure(
            fail("cli/no-renderdoc", std::move(message),
                 "install RenderDoc (Debian's package renderdoc), or name the folder of its "
                 "librenderdoc.so in LD_LIBRARY_PATH")
                .error());
    };
    // There already where a tool of RenderDoc's has started the process. Stays open.
    void* library = dlopen("librenderdoc.so", RTLD_NOW | RTLD_NOLOAD);
    if (!library) library = dlopen("librenderdoc.so", RTLD_NOW);
    if (!library) return no_renderdoc("RenderDoc's library, librenderdoc.so, cannot be loaded");
    const auto api_of = reinterpret_cast<pRENDERDOC_GetAPI>(dlsym(library, "RENDERDOC_GetAPI"));
    RenderDoc* renderdoc = nullptr;
    if (!api_of || api_of(eRENDERDOC_API_Version_1_4_0, reinterpret_cast<void**>(&renderdoc)) != 1)
        return no_renderdoc("RenderDoc is older than version 1.3, whose interface is needed");
    // The Vulkan loader takes the layer where this is set.
    setenv("ENABLE_VULKAN_RENDERDOC_CAPTURE", "1", 1);
    return std::make_unique<RenderDocCapture>(*renderdoc, file);
}

} // namespace tuff::cli
