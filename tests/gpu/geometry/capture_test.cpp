#include "tests/gpu/geometry/raster_test.hpp"

#include <cmath>

/// Lists of fragments against a rasterizer on the CPU.
namespace tuff {
namespace {

using passes::CaptureFragments;
using passes::RasterStatus;
using testing_gpu::RasterCase;
using testing_gpu::RasterFragment;
using testing_gpu::RasterMesh;
using testing_gpu::RasterReference;
using testing_gpu::RasterSetup;
using testing_gpu::Running;

class CaptureTest : public testing_gpu::RasterTest {};

TEST_F(CaptureTest, ListsAreThoseOfTheReferenceToTheBit) {
    const std::vector<RasterCase> cases = testing_gpu::raster_cases();
    // Room for all; for some, and for none but one.
    const auto capacities_of = [](const RasterCase& one) {
        std::vector<std::uint32_t> capacities{1u << 20};
        if (one.name == "tiny" || one.name == "deep") capacities.insert(capacities.end(), {500, 1});
        return capacities;
    };
    Graph g = graph();
    const auto name_of = [](const RasterCase& one, std::uint32_t capacity) {
        return fmt::format("{} {}", one.name, capacity);
    };
    for (const RasterCase& one : cases)
        for (const std::uint32_t capacity : capacities_of(one))
            output(g, name_of(one, capacity),
                   g.add(pass_of(g, one, CaptureFragments{.capacity = capacity}),
                         name_of(one, capacity))
                       .lists);
    Running running = run(std::move(g), 2);
    if (!running) return;
    for (const RasterCase& one : cases) {
        const RasterReference reference = rasterize(one.mesh, one.setup);
        for (const std::uint32_t capacity : capacities_of(one)) {
            SCOPED_TRACE(name_of(one, capacity));
            const auto got = lists(running, name_of(one, capacity), capacity);
            ASSERT_EQ(got.size(), reference.pixels.size());
            std::size_t before = 0;
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < got.size(); ++i) {
                before += reference.pixels[i].size();
                const bool fits = before <= capacity;
                wrong += got[i] != (fits ? reference.pixels[i] : std::vector<RasterFragment>{});
            }
            EXPECT_EQ(wrong, 0u);
            const RasterStatus found = status(running, name_of(one, capacity));
            expect_status(found, reference);
            EXPECT_EQ(found.needed, reference.fragments());
            EXPECT_EQ(found.stored, std::min<std::size_t>(found.needed, capacity));
            EXPECT_EQ(found.overflowed, found.needed > capacity ? 1u : 0u);
            EXPECT_EQ(found.warnings().empty(), found.overflowed == 0 && found.not_finite == 0);
            const auto count = running.buffer<std::uint32_t>(name_of(one, capacity) + ".count");
            ASSERT_EQ(count.size(), 1u);
            EXPECT_EQ(count[0], found.stored);
        }
    }
}

/// A fan about a point, closed, whose corners are those around the picture and points between;
/// their number is a multiple of four.
RasterMesh fan(glm::vec2 middle, float width, float height, int spokes) {
    RasterMesh mesh;
    mesh.positions.push_back(glm::vec3(middle, 0.5f));
    std::vector<glm::vec2> around;
    for (int i = 0; i < spokes; ++i) {
        const float t = static_cast<float>(i) / static_cast<float>(spokes);
        const float reach = 4.0f * t;
        const int side = static_cast<int>(reach);
        const float along = reach - static_cast<float>(side);
        const glm::vec2 corners[] = {{-1.0f, -1.0f},
                                     {width + 1.0f, -1.0f},
                                     {width + 1.0f, height + 1.0f},
                                     {-1.0f, height + 1.0f}};
        const glm::vec2 from = corners[side];
        const glm::vec2 to = corners[(side + 1) % 4];
        around.push_back(from + (to - from) * along);
    }
    for (const glm::vec2& p : around)
        mesh.positions.push_back(glm::vec3(p, 0.5f));
    const auto count = static_cast<std::uint32_t>(spokes);
    for (std::uint32_t i = 0; i < count; ++i)
        mesh.indices.insert(mesh.indices.end(), {0, 1 + i, 1 + (i + 1) % count});
    return mesh;
}

TEST_F(CaptureTest, TrianglesThatShareEdgesCoverEachPixelOnce) {
    Graph g = graph();
    const RasterSetup setup{
        .clip_from_mesh = testing_gpu::pixels_to_clip(90, 70), .width = 90, .height = 70};
    const glm::vec2 middles[] = {{45.5f, 35.5f}, {13.37f, 50.123f}, {89.99f, 0.01f}};
    const auto name_of = [](std::size_t i, int spokes) {
        return fmt::format("fan {} {}", i, spokes);
    };
    constexpr int kSpokes[] = {4, 60, 332};
    for (std::size_t i = 0; i < std::size(middles); ++i)
        for (const int spokes : kSpokes) {
            const RasterCase one{.name = name_of(i, spokes),
                                 .mesh = fan(middles[i], 90.0f, 70.0f, spokes),
                                 .setup = setup};
            output(g, one.name, g.add(pass_of(g, one, CaptureFragments{}), one.name).lists);
        }
    Running running = run(std::move(g));
    if (!running) return;
    for (std::size_t i = 0; i < std::size(middles); ++i)
        for (const int spokes : kSpokes) {
            const auto got = lists(running, name_of(i, spokes), 8 * 90 * 70);
            ASSERT_EQ(got.size(), 90u * 70u);
            std::size_t wrong = 0;
            for (const auto& list : got)
                wrong += list.size() != 1;
            EXPECT_EQ(wrong, 0u) << name_of(i, spokes);
        }
}

TEST_F(CaptureTest, SafeModesAndRunsGiveTheSame) {
    TUFF_ONLY_ON(lavapipe);
    const RasterCase one = case_named(testing_gpu::raster_cases(), "large");
    const std::vector<CompileOptions> modes{
        {},
        {.alias = AliasMode::off, .order = OrderMode::declared, .barriers = BarrierMode::full},
        {.layouts = LayoutMode::general}};
    std::vector<std::vector<RasterFragment>> first;
    std::vector<RasterFragment> first_keys;
    for (const CompileOptions& options : modes) {
        Graph g = graph();
        output(g, "lists", g.add(pass_of(g, one, CaptureFragments{})).lists);
        output(g, "nearest", g.add(pass_of(g, one, passes::ComputeRaster{})).visibility);
        Running running = start(compile_graph(std::move(g), options));
        if (!running) return;
        running.execute(2);
        const auto got = lists(running, "lists", 8 * one.setup.width * one.setup.height);
        const auto got_keys = keys(running, "nearest");
        ASSERT_FALSE(got.empty());
        if (first.empty()) {
            first = got;
            first_keys = got_keys;
        }
        EXPECT_EQ(got, first);
        EXPECT_EQ(got_keys, first_keys);
    }
}

TEST_F(CaptureTest, BadInputIsReported) {
    RasterCase one = case_named(testing_gpu::raster_cases(), "tiny");
    const auto code = [&](auto pass, bool connected = true) {
        Graph g = graph();
        pass = pass_of(g, one, pass);
        if (!connected) pass.mesh = {};
        g.add(std::move(pass));
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan ? std::string() : plan.error().front().code;
    };
    EXPECT_EQ(code(CaptureFragments{}), "");
    EXPECT_EQ(code(CaptureFragments{}, false), "graph/unconnected");
    EXPECT_EQ(code(passes::ComputeRaster{}, false), "graph/unconnected");
    EXPECT_EQ(code(CaptureFragments{.capacity = passes::kMaxFragments + 1}), "pass/out-of-range");
    EXPECT_EQ(code(CaptureFragments{.parts = passes::kMaxRasterParts + 1}), "pass/out-of-range");
    if (device().caps().max_storage_buffer_bytes < 8ull * passes::kMaxFragments) {
        EXPECT_EQ(code(CaptureFragments{.capacity = passes::kMaxFragments}), "raster/too-large");
    }
    if (!device().caps().int64_buffer_atomics) {
        EXPECT_EQ(code(passes::ComputeRaster{.atomics = passes::RasterAtomics::wide}),
                  "raster/no-wide-atomics");
    }
    one.setup.occluder = std::vector<float>(64 * 48, 1.0f);
    EXPECT_EQ(code(CaptureFragments{}), "");
    const auto size_of_occluder = [&] {
        Graph g = graph();
        auto pass = pass_of(g, one, CaptureFragments{});
        pass.width = 63;
        g.add(std::move(pass));
        const auto plan = compile(std::move(g).finish(), device().caps());
        return plan ? std::string() : plan.error().front().code;
    };
    EXPECT_EQ(size_of_occluder(), "image/size-mismatch");
    one.setup.occluder.clear();
    one.setup.width = 0;
    EXPECT_EQ(code(passes::ComputeRaster{}), "pass/out-of-range");
    one.setup.width = passes::kMaxRasterSide + 1;
    EXPECT_EQ(code(passes::ComputeRaster{}), "pass/out-of-range");
}

} // namespace
} // namespace tuff
