// The viewer's scene as somebody works it who opens one graph after another: what one took the
// next has back.

#include "model/edits.hpp"
#include "passes/registry.hpp"
#include "scene/scene_session.hpp"
#include "shipped_graphs.hpp"

#include <tuff/assets.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <mutex>

namespace tuff::testing_gpu {
namespace {

/// Of the process, in bytes; the memory of software devices is part of both.
struct Memory {
    std::size_t heap = 0;     ///< in use
    std::size_t resident = 0; ///< all pages
};

Memory memory_now() {
    malloc_trim(0);
    const struct mallinfo2 heap = mallinfo2();
    std::size_t total = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return {heap.uordblks + heap.hblkhd,
            resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE))};
}

std::vector<std::string> as_settings(const Shipped& shipped) {
    std::vector<std::string> settings;
    for (const auto& [name, value] : shipped.settings)
        settings.push_back(name + "=" + value);
    return settings;
}

class ViewerSwitches : public testing::Test {
  protected:
    ViewerSwitches() {
        viewer::SceneOptions options;
        if (const char* device = std::getenv("TUFF_DEVICE")) options.device = device;
        options.validation = true;
        options.on_message = [this](std::string_view text) {
            const std::lock_guard lock(mutex_);
            messages_ += std::string(text) + "\n";
        };
        auto opened = viewer::SceneSession::open(options, registry_);
        if (opened)
            session_.emplace(std::move(*opened));
        else
            ADD_FAILURE() << to_string(opened.error());
    }
    void open(const Shipped& shipped) {
        const viewer::SceneRequest request{
            .config = fmt::format("{}/apps/graphs/{}.json", TUFF_TEST_SOURCE_DIR, shipped.name),
            .edits = viewer::edits_of(as_settings(shipped)),
            .opened = ++opened_};
        const auto works = [&](const Result<void>& done) {
            EXPECT_TRUE(done) << shipped.name << ": " << to_string(done.error());
            return done.has_value();
        };
        if (!works(session_->load(request)) || !works(session_->update(request, {})) ||
            !works(session_->run(request, {})))
            return;
        ASSERT_TRUE(session_->shown());
        EXPECT_FALSE(session_->shown()->image.empty()) << shipped.name;
    }
    /// What is held where a graph of one kernel is open.
    Memory held_after(std::span<const Shipped* const> graphs) {
        for (const Shipped* shipped : graphs)
            open(*shipped);
        open(shipped_graph("mandelbrot"));
        return memory_now();
    }

    const PassRegistry registry_ = passes::make_registry();
    std::mutex mutex_;
    std::string messages_;
    std::optional<viewer::SceneSession> session_;
    std::uint64_t opened_ = 0;
};

TEST_F(ViewerSwitches, GiveBackWhatTheyTook) {
    ASSERT_TRUE(session_);
    std::vector<const Shipped*> graphs;
    for (const Shipped& shipped : shipped_graphs())
        if (shipped.needs.empty() || find_asset(shipped.needs)) graphs.push_back(&shipped);
    const char* const wanted = std::getenv("TUFF_TEST_ROUNDS"); // six are a hundred switches
    const int rounds = wanted ? std::atoi(wanted) : 2;

    // The first round fills what drivers and libraries keep for good.
    const Memory first = held_after(graphs);
    Memory last = first;
    for (int round = 1; round < rounds; ++round) {
        last = held_after(graphs);
        std::printf("round %d: heap %zu KiB, resident %zu KiB\n", round, last.heap / 1024,
                    last.resident / 1024);
    }
    EXPECT_EQ(messages_, "");
}

} // namespace
} // namespace tuff::testing_gpu
