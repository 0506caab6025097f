#include "passes/terrain/bisection.hpp"
#include "passes/terrain/bisection_wide.hpp"
#include "passes/terrain/heights.hpp"
#include "passes/terrain/planet.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/terrain/bisection_reference.hpp"

#include <tuff/graph_runner.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace tuff {
namespace {

using passes::Bisect;
using passes::BisectionStatus;
using passes::MakeSurface;
using passes::Surface;
using passes::SurfaceKind;

constexpr std::uint32_t kPictureHeight = 144;
constexpr float kFov = 60.0f;

struct HostBisection {
    std::vector<std::uint32_t> leaves;
    std::vector<std::uint32_t> seen;
    BisectionStatus status;
    std::set<std::uint64_t> set() const { return {leaves.begin(), leaves.end()}; }
    std::vector<std::uint64_t> nodes() const { return {leaves.begin(), leaves.end()}; }
};

class BisectionTest : public testing_gpu::GpuTest {
  protected:
    using MadeSurface = std::function<Surface(Graph&)>;

    void TearDown() override {
        runner_.reset();
        wide_runner_.reset();
        GpuTest::TearDown();
    }

    HostBisection frame(const MadeSurface& surface, Bisect pass) {
        Graph g = graph();
        pass.surface = surface(g);
        const Bisect made = g.add(pass);
        last_ = made;
        g.output("leaves", made.tree.keys);
        g.output("status", made.tree.status);
        g.output("seen", made.seen.keys);
        g.output("seen_status", made.seen.status);
        if (!runner_) runner_.emplace(device());
        HostBisection result;
        if (auto taken = runner_->take(std::move(g).finish(), shaders()); !taken) {
            ADD_FAILURE() << taken.error().front().message;
            return result;
        }
        if (auto done = runner_->executor()->execute(); !done) {
            ADD_FAILURE() << done.error().front().message;
            return result;
        }
        result.status = BisectionStatus::read(read("status"));
        result.leaves = read("leaves");
        result.leaves.resize(std::min<std::size_t>(result.status.listed, result.leaves.size()));
        result.seen = read("seen");
        result.seen.resize(read("seen_status").at(0));
        return result;
    }

    /// The same by lists of nodes of 64 bits.
    std::vector<std::uint64_t> wide_frame(const MadeSurface& surface, passes::BisectWide pass,
                                          BisectionStatus& status) {
        Graph g = graph();
        pass.surface = surface(g);
        const passes::BisectWide made = g.add(pass);
        g.output("leaves", made.tree.keys);
        g.output("status", made.tree.status);
        g.output("seen_status", made.seen.status);
        if (!wide_runner_) wide_runner_.emplace(device());
        auto taken = wide_runner_->take(std::move(g).finish(), shaders());
        EXPECT_TRUE(taken) << (taken ? "" : taken.error().front().message);
        if (!taken || !wide_runner_->executor()->execute()) return {};
        const auto words = wide_runner_->executor()->read_buffer("status");
        const auto bytes = wide_runner_->executor()->read_buffer("leaves");
        const auto seen = wide_runner_->executor()->read_buffer("seen_status");
        EXPECT_TRUE(words && bytes && seen);
        if (!words || !bytes || !seen) return {};
        std::vector<std::uint32_t> numbers(words->size() / 4);
        std::memcpy(numbers.data(), words->data(), words->size());
        status = BisectionStatus::read(numbers);
        std::uint32_t shown = 0;
        std::memcpy(&shown, seen->data(), 4);
        EXPECT_LE(shown, status.listed);
        std::vector<std::uint64_t> leaves(bytes->size() / 8);
        std::memcpy(leaves.data(), bytes->data(), bytes->size());
        leaves.resize(std::min<std::size_t>(leaves.size(), status.listed));
        return leaves;
    }
    static void expect_wide_partition(const std::vector<std::uint64_t>& leaves,
                                      std::uint32_t root_bits, std::uint32_t faces) {
        std::uint64_t next = 0;
        constexpr std::uint32_t kDepth = 61;
        for (const std::uint64_t node : leaves) {
            const auto own = static_cast<std::uint32_t>(std::bit_width(node)) - 1;
            ASSERT_EQ((node << (kDepth - own)) - (std::uint64_t{1} << kDepth), next);
            next += std::uint64_t{1} << (kDepth - own);
        }
        ASSERT_EQ(next, faces * (std::uint64_t{1} << (kDepth - root_bits)));
    }

    std::vector<std::uint32_t> read(std::string_view name) {
        const auto bytes = runner_->executor()->read_buffer(name);
        if (!bytes) {
            ADD_FAILURE() << name;
            return {0, 0, 0, 0};
        }
        std::vector<std::uint32_t> values(bytes->size() / 4);
        std::memcpy(values.data(), bytes->data(), values.size() * 4);
        return values;
    }

    static passes::CameraParameters camera_at(glm::vec3 eye,
                                              glm::vec3 towards = {0.3f, -0.5f, -1}) {
        return {.mode = passes::CameraMode::free,
                .position = eye,
                .target = eye + towards,
                .vertical_fov = kFov,
                .near_plane = 1e-3f,
                .far_plane = 100.0f};
    }
    static double pixels_at_1() {
        return kPictureHeight / (2.0 * std::tan(0.5 * glm::radians(static_cast<double>(kFov))));
    }

    /// Leaves cover all squares once, in the order of their places.
    void expect_partition(const HostBisection& host, const std::string& what) {
        const std::uint32_t depth = last_.tree.depth;
        std::uint64_t next = 0;
        for (const std::uint32_t node : host.leaves) {
            const auto own = static_cast<std::uint32_t>(std::bit_width(node)) - 1;
            ASSERT_LE(own, depth) << what;
            const std::uint64_t begin =
                (std::uint64_t{node} << (depth - own)) - (std::uint64_t{1} << depth);
            ASSERT_EQ(begin, next) << what << ", node " << node;
            next = begin + (std::uint64_t{1} << (depth - own));
        }
        const std::uint64_t square = std::uint64_t{1} << (depth - last_.tree.root_bits);
        ASSERT_EQ(next, square * last_.tree.faces) << what;
        ASSERT_EQ(host.status.leaves, host.leaves.size()) << what;
    }
    /// No T-junction: every edge that is not at a border has two triangles.
    void expect_conforming(const HostBisection& host, const std::string& what) {
        const EdgeCounts counts =
            edge_counts(last_.surface.kind, host.nodes(), last_.tree.root_bits);
        EXPECT_EQ(counts.once, 0u) << what;
        EXPECT_EQ(counts.more, 0u) << what;
        EXPECT_GT(counts.twice, 0u) << what;
    }
    /// The tree that the recursive definition gives, where rounding has no say.
    void expect_definition(const HostBisection& host, TrueSurface truth, const Bisect& pass,
                           const std::string& what) {
        truth.surface = last_.surface;
        TrueBisection expected(truth, pass.max_level);
        expected.refine(glm::dvec3(pass.camera.position), pixels_at_1(),
                        static_cast<double>(pass.edge));
        ASSERT_GT(expected.least_margin(), 1e-6) << what << ": another camera, please";
        EXPECT_EQ(host.set(), expected.leaves()) << what;
    }

    Bisect last_;

  private:
    std::optional<GraphRunner> runner_;
    std::optional<GraphRunner> wide_runner_;
};

std::vector<float> bumpy_map(std::uint32_t width, std::uint32_t height) {
    std::vector<float> map(std::size_t{width} * height);
    std::mt19937 random(7);
    std::uniform_real_distribution<float> one(0.0f, 1.0f);
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x)
            map[y * width + x] = 0.6f * std::sin(0.3f * static_cast<float>(x)) *
                                     std::cos(0.2f * static_cast<float>(y)) +
                                 0.2f * one(random);
    map[width + 1] = std::numeric_limits<float>::quiet_NaN();
    map[2 * width + 3] = std::numeric_limits<float>::infinity();
    return map;
}

struct SurfaceCase {
    std::string name;
    MakeSurface pass;
    bool mapped = false;
};
std::vector<SurfaceCase> surface_cases() {
    return {{"flat", {.height = 0.0f}},
            {"map", {.height = 0.2f}, true},
            {"fbm", {.kind = SurfaceKind::fbm, .height = 0.1f}},
            {"sine", {.kind = SurfaceKind::sine, .side = 2.0f, .height = 0.05f}},
            {"sphere", {.kind = SurfaceKind::sphere}},
            {"torus", {.kind = SurfaceKind::torus, .radius = 0.8f, .tube = 0.25f}},
            {"knot", {.kind = SurfaceKind::knot, .radius = 0.4f, .tube = 0.15f}}};
}

// Check 3 and 9 for bisections: from the first triangles and from the tree of another camera, steps
// come to the tree of the recursive definition, and stay there; check 2, the partition; check 5, no
// T-junction, at every step.
TEST_F(BisectionTest, StepsComeToTheRecursiveDefinitionOnEverySurfaceAndConformAtEachStep) {
    constexpr std::uint32_t kMapWidth = 37, kMapHeight = 21;
    const std::vector<float> map = bumpy_map(kMapWidth, kMapHeight);
    std::uint32_t surfaces = 0;
    for (const SurfaceCase& one : surface_cases()) {
        if (one.name == "flat" || one.name == "sine") continue; // as noise, but for the heights
        ++surfaces;                                             // each begins again
        const auto surface = [&](Graph& g) {
            MakeSurface pass = one.pass;
            if (one.mapped)
                pass.heights = g.constant_image(
                    "map", {.format = Format::r32_sfloat, .extent = {kMapWidth, kMapHeight, 1}},
                    testing_gpu::bytes_of(map));
            return g.add(pass).surface;
        };
        TrueSurface truth;
        if (one.mapped) {
            truth.map = map;
            truth.map_width = kMapWidth;
            truth.map_height = kMapHeight;
        }
        const bool closed = !is_ground(one.pass.kind);
        const std::array<glm::vec3, 2> eyes =
            closed ? std::array{glm::vec3(1.07f, 0.211f, 0.173f), glm::vec3(-1.31f, 0.42f, 0.771f)}
                   : std::array{glm::vec3(0.1137f, 0.2431f, 0.2171f),
                                glm::vec3(-0.3371f, 0.0613f, -0.1923f)};
        for (std::size_t i = 0; i < eyes.size(); ++i) {
            Bisect pass{.camera = camera_at(eyes[i]),
                        .height = kPictureHeight,
                        .edge = one.pass.kind == SurfaceKind::knot ? 160.0f
                                : closed                           ? 30.0f
                                                                   : 12.0f,
                        .max_level = 16,
                        .capacity = 1u << 14,
                        .reset = surfaces};
            // Single steps, then several at once.
            std::uint32_t steps = 0;
            HostBisection host;
            do {
                pass.iterations = steps < 2 ? 1 : 10;
                host = frame(surface, pass);
                const std::string what = fmt::format("{}, eye {}, step {}", one.name, i, steps);
                ASSERT_NO_FATAL_FAILURE(expect_partition(host, what));
                expect_conforming(host, what);
                ++steps;
            } while (host.status.changed > 0 && steps < 8);
            const std::string what = fmt::format("{}, eye {}", one.name, i);
            EXPECT_EQ(host.status.changed, 0u) << what;
            EXPECT_EQ(host.status.refused, 0u) << what;
            EXPECT_GT(host.leaves.size(), 100u) << what;
            expect_definition(host, truth, pass, what);
            const std::vector<std::uint32_t> before = host.leaves;
            EXPECT_EQ(frame(surface, pass).leaves, before) << what; // check 15: it stays
        }
    }
}

// The trees of a planet's six squares match at the cube's edges and corners.
TEST_F(BisectionTest, PlanetsConformAcrossTheEdgesOfTheCube) {
    for (const glm::dvec3 eye :
         {glm::dvec3(1.2, 1.1, 1.15), glm::dvec3(-1.02, 0.02, 0.9), glm::dvec3(0.03, -1.3, 0.01)}) {
        const auto planet = [&](Graph& g) {
            return g.add(passes::MakePlanet{.eye = eye, .octaves = 6}).surface;
        };
        const Bisect pass{.camera = camera_at(glm::vec3(0.0f), glm::vec3(-glm::normalize(eye))),
                          .height = kPictureHeight,
                          .edge = 20.0f,
                          .max_level = 14,
                          .iterations = 14,
                          .capacity = 1u << 14};
        HostBisection host;
        for (int i = 0; i < 3; ++i) {
            host = frame(planet, pass);
            ASSERT_NO_FATAL_FAILURE(expect_partition(host, "planet"));
            expect_conforming(host, "planet");
        }
        EXPECT_EQ(host.status.changed, 0u);
        EXPECT_GT(host.leaves.size(), 200u);
        EXPECT_EQ(edge_counts(SurfaceKind::planet, host.nodes(), 3).border, 0u);
    }
}

// Deep trees, down to their last level.
TEST_F(BisectionTest, TwentyLevelsComeToTheRecursiveDefinition) {
    const auto surface = [](Graph& g) { return g.add(MakeSurface{.height = 0.0f}).surface; };
    const Bisect pass{.camera = camera_at({0.1713f, 0.000313f, -0.2137f}),
                      .height = kPictureHeight,
                      .edge = 24.0f,
                      .max_level = 20,
                      .iterations = 24,
                      .capacity = 1u << 13};
    (void)frame(surface, pass);
    const HostBisection host = frame(surface, pass);
    EXPECT_EQ(host.status.changed, 0u);
    ASSERT_NO_FATAL_FAILURE(expect_partition(host, "20 levels"));
    expect_conforming(host, "20 levels");
    std::uint32_t deepest = 0;
    for (const std::uint32_t node : host.leaves)
        deepest = std::max(deepest, static_cast<std::uint32_t>(std::bit_width(node)) - 1);
    EXPECT_EQ(deepest, 20u);
    expect_definition(host, {}, pass, "20 levels");
}

// The same steps make the same triangles in fields of all sizes: one tile of sums, several, those
// whose sums take another kernel, 128 million bits.
TEST_F(BisectionTest, ATreeDoesNotDependOnHowDeepItMayBecome) {
    const auto surface = [](Graph& g) { return g.add(MakeSurface{.height = 0.0f}).surface; };
    std::vector<std::uint32_t> expected;
    for (const std::uint32_t levels : {12u, 15u, 16u, 19u, 27u}) {
        const Bisect pass{.camera = camera_at({0.1713f, 0.0313f, -0.2137f}),
                          .height = kPictureHeight,
                          .edge = 6.0f,
                          .max_level = levels,
                          .iterations = 6,
                          .capacity = 1u << 13};
        const HostBisection host = frame(surface, pass);
        ASSERT_NO_FATAL_FAILURE(expect_partition(host, fmt::format("{} levels", levels)));
        if (expected.empty()) expected = host.leaves;
        EXPECT_EQ(host.leaves, expected) << levels << " levels";
    }
    EXPECT_GT(expected.size(), 100u);
}

// Pitfall: no room. The tree stays a partition that conforms, and a warning says so.
TEST_F(BisectionTest, WithoutRoomTrianglesStayAsTheyAre) {
    const auto surface = [](Graph& g) { return g.add(MakeSurface{.height = 0.0f}).surface; };
    Bisect pass{.camera = camera_at({0.1f, 0.05f, 0.2f}),
                .height = kPictureHeight,
                .edge = 4.0f,
                .max_level = 18,
                .iterations = 20,
                .capacity = 500};
    HostBisection host = frame(surface, pass);
    ASSERT_NO_FATAL_FAILURE(expect_partition(host, "no room"));
    expect_conforming(host, "no room");
    EXPECT_LE(host.leaves.size(), 500u);
    EXPECT_GT(host.leaves.size(), 400u);
    EXPECT_GT(host.status.refused, 0u);
    ASSERT_EQ(host.status.warnings().size(), 1u);
    EXPECT_EQ(host.status.warnings()[0].code, "terrain/full-bisection");
    // Pitfall: reset. Another number begins again.
    pass.reset = 1;
    pass.edge = 4000.0f;
    host = frame(surface, pass);
    EXPECT_EQ(host.leaves.size(), 4u);
    EXPECT_EQ(host.status.changed, 0u);
}

// Check 11: what may be seen has all triangles that have a point in the view, and little else.
TEST_F(BisectionTest, CullingKeepsWhatTheViewShows) {
    for (const SurfaceCase& one : surface_cases()) {
        if (one.mapped) continue;
        const auto surface = [&](Graph& g) { return g.add(one.pass).surface; };
        const bool closed = !is_ground(one.pass.kind);
        const glm::vec3 eye = closed ? glm::vec3(1.31f, 0.4f, 0.6f) : glm::vec3(0.1f, 0.2f, 0.3f);
        const glm::vec3 towards =
            closed ? glm::vec3(-1.0f, -0.1f, 0.2f) : glm::vec3(0.3f, -0.4f, -1);
        Bisect pass{.camera = camera_at(eye, towards),
                    .width = 256,
                    .height = kPictureHeight,
                    .edge = one.pass.kind == SurfaceKind::knot ? 60.0f : 12.0f,
                    .max_level = 16,
                    .iterations = 18};
        const HostBisection host = frame(surface, pass);
        TrueSurface truth{.surface = last_.surface};
        const Camera camera{.position = eye,
                            .target = eye + towards,
                            .vertical_fov = kFov,
                            .near_plane = 1e-3f,
                            .far_plane = 100.0f};
        const glm::dmat4 clip(camera.projection(256.0f / kPictureHeight) * camera.view());
        const std::set<std::uint32_t> seen(host.seen.begin(), host.seen.end());
        std::uint32_t shown = 0, missed = 0;
        for (const std::uint32_t node : host.leaves) {
            const TrueTriangle t = triangle_at(node, 0);
            bool inside = false;
            for (int i = 0; i <= 6; ++i)
                for (int j = 0; i + j <= 6; ++j) {
                    const glm::dvec2 uv =
                        (glm::dvec2(t.a) * (i / 6.0) + glm::dvec2(t.b) * (j / 6.0) +
                         glm::dvec2(t.c) * ((6 - i - j) / 6.0)) *
                        std::ldexp(1.0, -31);
                    const glm::dvec4 p = clip * glm::dvec4(truth.point(uv), 1.0);
                    inside |= p.w > 0.0 && std::abs(p.x) < p.w && std::abs(p.y) < p.w &&
                              p.z > 0.0 && p.z < p.w;
                }
            shown += inside;
            missed += inside && !seen.contains(node);
        }
        EXPECT_EQ(missed, 0u) << one.name;
        EXPECT_GT(shown, 20u) << one.name;
        // Boxes and spheres reach farther than triangles; of noise only the greatest height is
        // known.
        const double more = one.pass.kind == SurfaceKind::fbm ? 3.0 : 1.35;
        EXPECT_LT(static_cast<double>(host.seen.size()), more * shown + 20.0) << one.name;
        EXPECT_LT(host.seen.size(), host.leaves.size()) << one.name;
    }
}

// Lists of 64-bit nodes make the same tree, step by step, when triangles are cut and merged.
TEST_F(BisectionTest, ListsOfWideNodesAreTheTreesOfBits) {
    std::uint32_t surfaces = 0;
    for (const SurfaceCase& one : surface_cases()) {
        if (one.mapped || one.pass.kind == SurfaceKind::sine) continue;
        const auto surface = [&](Graph& g) { return g.add(one.pass).surface; };
        const bool closed = !is_ground(one.pass.kind);
        std::uint32_t frames = 0;
        ++surfaces; // each begins again
        for (const glm::vec3 eye :
             {closed ? glm::vec3(1.07f, 0.211f, 0.173f) : glm::vec3(0.1137f, 0.2431f, 0.2171f),
              closed ? glm::vec3(-1.31f, 0.42f, 0.771f) : glm::vec3(-0.3371f, 0.1613f, -0.1923f)})
            for (const std::uint32_t iterations : {1u, 3u, 12u, 12u}) {
                const Bisect pass{.camera = camera_at(eye),
                                  .height = kPictureHeight,
                                  .edge = one.pass.kind == SurfaceKind::knot ? 500.0f : 30.0f,
                                  .max_level = 14,
                                  .iterations = iterations,
                                  .capacity = 1u << 13,
                                  .reset = surfaces};
                const HostBisection bits = frame(surface, pass);
                BisectionStatus status;
                const auto wide = wide_frame(surface,
                                             {.camera = pass.camera,
                                              .height = pass.height,
                                              .edge = pass.edge,
                                              .max_level = pass.max_level,
                                              .iterations = pass.iterations,
                                              .capacity = pass.capacity,
                                              .reset = surfaces},
                                             status);
                ASSERT_EQ(wide, bits.nodes()) << one.name << ", frame " << frames;
                EXPECT_EQ(status.refused, 0u);
                ++frames;
            }
    }
}

// 50 levels on a planet of the Earth's size: cells of 10 cm.
TEST_F(BisectionTest, WideNodesReachCentimetresOnAPlanet) {
    const auto planet = [](Graph& g) {
        return g
            .add(passes::MakePlanet{.eye = glm::normalize(glm::dvec3(0.3, 0.8, -0.52)) * 6371000.5,
                                    .above_ground = true,
                                    .radius = 6371000.0,
                                    .height = 6000.0,
                                    .octaves = 20})
            .surface;
    };
    passes::BisectWide pass{.camera = camera_at(glm::vec3(0.0f), glm::vec3(-0.3f, -0.8f, 0.52f)),
                            .height = kPictureHeight,
                            .edge = 60.0f,
                            .max_level = 50,
                            .iterations = 30,
                            .capacity = 1u << 15};
    BisectionStatus status;
    std::vector<std::uint64_t> leaves;
    for (int i = 0; i < 3; ++i)
        leaves = wide_frame(planet, pass, status);
    EXPECT_EQ(status.changed, 0u);
    EXPECT_EQ(status.refused, 0u);
    ASSERT_GT(leaves.size(), 500u);
    ASSERT_NO_FATAL_FAILURE(expect_wide_partition(leaves, 3, 6));
    const EdgeCounts counts = edge_counts(SurfaceKind::planet, leaves, 3);
    EXPECT_EQ(counts.once, 0u);
    EXPECT_EQ(counts.more, 0u);
    std::uint64_t deepest = 0;
    for (const std::uint64_t node : leaves)
        deepest =
            std::max<std::uint64_t>(deepest, static_cast<std::uint64_t>(std::bit_width(node)) - 1);
    EXPECT_GE(deepest, 45u);
    // Without room the tree stays as it is.
    pass.reset = 1;
    pass.capacity = 64;
    leaves = wide_frame(planet, pass, status);
    ASSERT_NO_FATAL_FAILURE(expect_wide_partition(leaves, 3, 6));
    EXPECT_GT(status.refused, 0u);
    EXPECT_LE(leaves.size(), 64u);
}

TEST_F(BisectionTest, DepthsThatDoNotFitAreRefused) {
    Graph g = graph();
    const Surface planet = g.add(passes::MakePlanet{}).surface;
    (void)g.add(Bisect{.surface = planet, .camera = camera_at({}), .max_level = 26});
    const auto plan = compile(std::move(g).finish(), device().caps());
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.error().front().code, "terrain/too-deep");
}

} // namespace
} // namespace tuff
