#pragma once

#include "host_fixture.hpp"

#include <tuff/external_memory.hpp>

#include <filesystem>
#include <iterator>

namespace tuff::testing_gpu {

/// The validation layer (1.3.239) does not know that an acquisition brings an image in the layout
/// in which another device has released it: to the layer no image has one before its own device
/// gives it one.
inline bool forgets_other_owners(const std::string& message) {
    return message.contains("InvalidImageLayout") && message.contains("[external image]") &&
           message.contains("current layout is VK_IMAGE_LAYOUT_UNDEFINED");
}

/// A test with a second device of the same driver. No layer may complain of either.
class ExternalTest : public HostTest {
  public:
    void SetUp() override {
        HostTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        auto opened =
            Device::open({.select = default_device_selection(), .validation = kValidation});
        ASSERT_TRUE(opened) << to_string(opened.error());
        other_ = std::move(*opened);
        if (!external_caps(device()).memory) GTEST_SKIP() << "the device shares no memory";
    }
    void TearDown() override {
        if (other_)
            for (const std::string& message : other_->validation_messages())
                if (!forgets_other_owners(message)) ADD_FAILURE() << message;
        other_.reset();
        HostTest::TearDown();
    }

  protected:
    Device& other() { return *other_; }

    template <typename T>
    static T taken(Result<T> result) {
        EXPECT_TRUE(result) << to_string(result.error());
        return std::move(*result);
    }
    /// The same buffer on the other device.
    ExternalBuffer on_other(const ExternalBuffer& buffer) {
        return taken(ExternalBuffer::open(other(), buffer.info(), taken(buffer.export_memory())));
    }
    ExternalImage on_other(const ExternalImage& image) {
        return taken(ExternalImage::open(other(), image.info(), taken(image.export_memory())));
    }

    /// 1, 2, 3, ... in the first execution, twice that in the second, and so on, in the import
    /// "words".
    Graph counting(const BufferDesc& desc) {
        Graph g = graph();
        const BufferHistory total = g.history_buffer("total", desc, 1);
        const Buffer next =
            test::sum(g, total.previous[0], test::iota(g, "iota", desc, 1), total.current);
        (void)g.copy(next, g.import_buffer("words", desc, external_state()));
        return g;
    }
    /// The output "copy" has the words of the import.
    Graph copying(const BufferDesc& desc) {
        Graph g = graph();
        const Buffer words = g.import_buffer("words", desc, external_state());
        g.output("copy", g.copy(words, g.buffer("copy", desc)));
        return g;
    }
    static std::vector<std::uint32_t> counted(std::size_t count, std::uint32_t executions) {
        std::vector<std::uint32_t> words(count);
        for (std::size_t i = 0; i < count; ++i)
            words[i] = static_cast<std::uint32_t>(i + 1) * executions;
        return words;
    }
    static std::ptrdiff_t open_descriptors() {
        return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                             std::filesystem::directory_iterator());
    }

  private:
    std::optional<Device> other_;
};

} // namespace tuff::testing_gpu
