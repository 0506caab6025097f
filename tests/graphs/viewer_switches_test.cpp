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

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>

namespace tuff::testing_gpu {
namespace {

/// Of the process, in bytes.
struct Memory {
    std::size_t heap = 0;     ///< small blocks in use
    std::size_t resident = 0; ///< all pages, those of a software device's memory among them
};

Memory memory_now() {
    malloc_trim(0);
    const struct mallinfo2 heap = mallinfo2();
    std::size_t total = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return {heap.uordblks, resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE))};
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
    std::optional<viewer::SceneSession> session_;
    std::uint64_t opened_ = 0;
};

TEST_F(ViewerSwitches, GiveBackWhatTheyTook) {
    ASSERT_TRUE(session_);
    // The validation layer keeps something of each command buffer, and Mesa 22.3 some 0.5 MB of
    // each graph's shaders: with either, nothing could be seen.
    if (session_->device().caps().name.contains("llvmpipe"))
        GTEST_SKIP() << "the driver keeps shaders of graphs that are gone";
    // All of them six times are a hundred switches, which take a quarter of an hour.
    const char* const wanted = std::getenv("TUFF_TEST_ROUNDS");
    const int rounds = wanted ? std::atoi(wanted) : 2;
    std::vector<const Shipped*> graphs;
    if (!wanted)
        for (const char* name : {"demo", "raytrace", "jet", "voxels", "oit", "particles"})
            graphs.push_back(&shipped_graph(name));
    else
        for (const Shipped& shipped : shipped_graphs())
            if (shipped.needs.empty() || find_asset(shipped.needs)) graphs.push_back(&shipped);

    // The first round fills what drivers and libraries keep for good.
    std::vector<Memory> held;
    for (int round = 0; round < rounds; ++round) {
        held.push_back(held_after(graphs));
        std::printf("round %d: heap %zu KiB, resident %zu MiB\n", round, held.back().heap >> 10,
                    held.back().resident >> 20);
        std::fflush(stdout);
    }
    constexpr std::size_t kHeapOfARound = 64 << 10, kResident = 32 << 20;
    const auto later = static_cast<std::size_t>(rounds - 1);
    EXPECT_LE(held.back().heap, held.front().heap + later * kHeapOfARound);
    EXPECT_LE(held.back().resident, held.front().resident + kResident);
}

} // namespace
} // namespace tuff::testing_gpu
