#include "passes/hair/groom.hpp"
#include "passes/hair/hair_file.hpp"
#include "passes/hair/read.hpp"
#include "passes/hair/skin.hpp"
#include "passes/hair/stretch.hpp"
#include "tests/gpu/hair/hair_test.hpp"

#include <cstring>
#include <limits>

/// Grooms: grown, read from files, merged, followed, and bound to meshes; bad ones, too.
namespace tuff {
namespace {

using passes::GroomHair;
using passes::HairGroom;
using passes::ReadHair;
using passes::StrandShape;
using reference::Vec;
using testing_gpu::HostHair;
using testing_gpu::Running;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// A .hair file of strands with these numbers of segments.
std::vector<std::byte> hair_file(const std::vector<std::uint16_t>& segments, bool listed) {
    std::vector<std::byte> bytes(128);
    const auto put = [&](std::size_t at, auto value) {
        std::memcpy(bytes.data() + at, &value, sizeof(value));
    };
    std::uint32_t points = 0;
    for (const std::uint16_t s : segments)
        points += s + 1u;
    std::memcpy(bytes.data(), "HAIR", 4);
    put(4, static_cast<std::uint32_t>(segments.size()));
    put(8, points);
    put(12, listed ? 3u : 2u);
    put(16, segments.empty() ? 0u : std::uint32_t{segments[0]});
    const auto add = [&](auto value) {
        bytes.resize(bytes.size() + sizeof(value));
        std::memcpy(bytes.data() + bytes.size() - sizeof(value), &value, sizeof(value));
    };
    if (listed)
        for (const std::uint16_t s : segments)
            add(s);
    for (std::size_t i = 0; i < segments.size(); ++i)
        for (std::uint32_t p = 0; p <= segments[i]; ++p)
            for (const float x : {static_cast<float>(i), 0.0f, 0.3f * static_cast<float>(p * p)})
                add(x);
    return bytes;
}

class HairGroomTest : public testing_gpu::HairTest {
  protected:
    static Buffer file_of(Graph& g, const std::vector<std::byte>& bytes) {
        return g.constant_buffer("file", {.size = bytes.size(), .stride = 1},
                                 std::make_shared<const std::vector<std::byte>>(bytes));
    }
    template <typename Pass>
    std::string code_for(const Pass& pass) {
        Graph g = graph();
        (void)g.add(pass);
        const GraphDesc built = std::move(g).finish();
        return built.diagnostics.empty() ? std::string() : built.diagnostics.front().code;
    }
    std::string code_of_file(const std::vector<std::byte>& bytes,
                             passes::HairFileFormat format = passes::HairFileFormat::hair) {
        Graph g = graph();
        (void)g.add(ReadHair{.file = file_of(g, bytes), .format = format, .vertices = 5});
        const GraphDesc built = std::move(g).finish();
        EXPECT_LE(built.diagnostics.size(), 1u) << "one diagnostic for a damaged file";
        return built.diagnostics.empty() ? std::string() : built.diagnostics.front().code;
    }
};

TEST_F(HairGroomTest, GrownHairStartsOnTheScalpGoesAroundItAndIsTheSameForItsSeed) {
    for (const StrandShape shape : {StrandShape::straight, StrandShape::wavy, StrandShape::helix}) {
        std::vector<std::vector<glm::vec4>> runs;
        for (const std::uint32_t seed : {5u, 5u, 6u}) {
            Graph g = graph();
            GroomHair pass{.count = 300, .vertices = 17, .seed = seed, .shape = shape};
            pass.axis = {0.3f, 1.0f, 0.0f};
            pass.center = {0.1f, 0.2f, 0.3f};
            pass.outer_angle = 70.0f;
            const HairGroom groom = g.add(pass).groom;
            g.output("rest", groom.rest);
            Running running = run(std::move(g));
            runs.push_back(running.buffer<glm::vec4>("rest"));
        }
        ASSERT_EQ(runs[0], runs[1]);
        EXPECT_NE(runs[0], runs[2]);
        const Vec center(0.1f, 0.2f, 0.3f);
        const Vec axis = glm::normalize(Vec(0.3f, 1.0f, 0.0f));
        double spread = 0.0;
        for (std::size_t s = 0; s < 300; ++s) {
            const Vec root = Vec(runs[0][17 * s]) - center;
            ASSERT_NEAR(glm::length(root), 0.1, 1e-5);
            ASSERT_GE(glm::dot(root, axis) / 0.1, std::cos(glm::radians(70.0)) - 1e-4);
            for (std::size_t v = 0; v < 17; ++v) {
                const Vec x = Vec(runs[0][17 * s + v]) - center;
                ASSERT_GE(glm::length(x), 0.1 - (shape == StrandShape::straight ? 0.004 : 0.016));
                if (v + 1 == 17) continue;
                ASSERT_NEAR(runs[0][17 * s + v].w,
                            glm::distance(Vec(runs[0][17 * s + v]), Vec(runs[0][17 * s + v + 1])),
                            1e-6);
            }
            spread += glm::dot(root, axis) / 0.1 / 300.0;
        }
        // Even on the sphere: heights are even between cos 0 and cos 70 degrees.
        EXPECT_NEAR(spread, 0.5 * (1.0 + std::cos(glm::radians(70.0))), 0.01);
    }
}

TEST_F(HairGroomTest, TiedStrandsGoThroughTheTie) {
    Graph g = graph();
    GroomHair pass{.count = 200, .vertices = 32};
    pass.axis = {0.0f, 1.0f, -0.5f};
    pass.outer_angle = 40.0f;
    pass.length = 0.5f;
    pass.tie = {0.0f, 0.06f, -0.15f};
    pass.tie_radius = 0.02f;
    g.output("rest", g.add(pass).groom.rest);
    Running running = run(std::move(g));
    const auto rest = running.buffer<glm::vec4>("rest");
    for (std::size_t s = 0; s < 200; ++s) {
        double nearest = 1.0;
        for (std::size_t v = 0; v < 32; ++v)
            nearest = std::min(nearest, glm::distance(Vec(rest[32 * s + v]), Vec(pass.tie)));
        ASSERT_LT(nearest, 0.03) << s;
    }
}

TEST_F(HairGroomTest, FilesAreReadAndResampledEvenly) {
    for (const bool listed : {true, false}) {
        const std::vector<std::uint16_t> segments =
            listed ? std::vector<std::uint16_t>{3, 1, 7, 2} : std::vector<std::uint16_t>{4, 4, 4};
        Graph g = graph();
        const ReadHair read = g.add(ReadHair{.file = file_of(g, hair_file(segments, listed)),
                                             .vertices = 5,
                                             .scale = 2.0f,
                                             .shift = {1.0f, 0.0f, 0.0f},
                                             .z_up = true});
        ASSERT_EQ(read.groom.count, segments.size());
        g.output("rest", read.groom.rest);
        Running running = run(std::move(g));
        const auto rest = running.buffer<glm::vec4>("rest");
        for (std::size_t s = 0; s < segments.size(); ++s) {
            const double end = 0.3 * segments[s] * segments[s]; // along z, which is up: y here
            for (std::size_t v = 0; v < 5; ++v)
                EXPECT_LT(glm::distance(Vec(rest[5 * s + v]),
                                        Vec(1.0 + 2.0 * static_cast<double>(s),
                                            2.0 * end * static_cast<double>(v) / 4.0, 0.0)),
                          1e-5 * (1.0 + end));
        }
    }
    std::vector<float> rows; // two strands of a plain table
    for (const float strand : {0.0f, 4.0f})
        for (int p = 0; p < 3; ++p)
            rows.insert(rows.end(), {strand, static_cast<float>(p), strand, 0.0f});
    const auto bytes = std::as_bytes(std::span(rows));
    const auto lines = passes::read_hair_rows(bytes);
    ASSERT_TRUE(lines);
    ASSERT_EQ(lines->count(), 2u);
    const passes::EvenStrands even = passes::resampled(*lines, 5, 100);
    EXPECT_EQ(even.points[2], glm::vec3(1.0f, 0.0f, 0.0f));
    EXPECT_EQ(even.points[9], glm::vec3(2.0f, 4.0f, 0.0f));
}

TEST_F(HairGroomTest, DamagedFilesGiveOneDiagnostic) {
    const std::vector<std::byte> good = hair_file({3, 1, 7, 2}, true);
    EXPECT_EQ(code_of_file(good), "");
    EXPECT_FALSE(passes::read_hair_file({}));
    for (std::size_t size = 5; size < good.size(); size += 5)
        EXPECT_EQ(code_of_file({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}),
                  "hair/corrupt-file")
            << size;
    // Numbers that promise more than there is, before anything is allocated for them.
    for (const std::size_t at : {4u, 8u, 12u, 16u})
        for (const std::uint32_t value : {0xffffffffu, 0x7fffffffu, 0x10000u}) {
            std::vector<std::byte> bad = good;
            std::memcpy(bad.data() + at, &value, 4);
            const std::string code = code_of_file(bad);
            EXPECT_TRUE(code == "hair/corrupt-file" || at == 16) << at << ": " << code;
        }
    std::mt19937 random(3); // any bytes at all
    for (int round = 0; round < 300; ++round) {
        std::vector<std::byte> bad = good;
        for (int k = 0; k < 4; ++k)
            bad[random() % bad.size()] = static_cast<std::byte>(random());
        (void)code_of_file(bad);
    }
    EXPECT_EQ(code_of_file(std::vector<std::byte>(17), passes::HairFileFormat::rows),
              "hair/corrupt-file");
    // Strands of one point, and points that are not finite, are left out with a warning.
    EXPECT_EQ(code_of_file(hair_file({3, 0}, true)), "hair/bad-strand");
    Graph g = graph();
    (void)g.add(ReadHair{.file = g.fill(g.buffer("b", {.size = 64, .stride = 4}), 0)});
    EXPECT_EQ(std::move(g).finish().diagnostics.front().code, "hair/not-constant");
}

TEST_F(HairGroomTest, BadStrandsAreCountedAndMoveWithTheHead) {
    HostHair hair = testing_gpu::random_hair(5, 8, 1);
    hair.points[8 + 3] = hair.points[8 + 2]; // an edge without length
    hair.points[16 + 4].y = kNaN;
    Graph g = graph();
    passes::StepHair pass{.groom = groom_of(g, hair)};
    pass.head.position = {0.1f, 0.0f, 0.0f};
    g.output("positions", g.add(pass).after.positions);
    Running running = run(std::move(g), 2);
    const auto got = running.buffer<glm::vec4>("positions");
    for (std::size_t v = 0; v < 8; ++v) {
        EXPECT_LT(glm::distance(Vec(got[8 + v]), Vec(hair.points[8 + v]) + Vec(0.1f, 0, 0)), 1e-6);
        EXPECT_LT(glm::distance(Vec(got[16 + v]), Vec(0.1f, 0, 0)), 1e-6);
    }
    const Diagnostics warnings = running->warnings().value();
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0].code, "hair/bad-strand");
    EXPECT_THAT(warnings[0].message, testing::HasSubstr("2 strands"));
    // Strands of two vertices have nothing that moves.
    HostHair rods = testing_gpu::random_hair(7, 2, 2);
    passes::SimulateHair still;
    const auto moved = simulated(rods, still, 10);
    for (std::size_t i = 0; i < moved.size(); ++i)
        EXPECT_LT(glm::distance(Vec(moved[i]), Vec(rods.points[i])), 1e-6);
}

TEST_F(HairGroomTest, MergedGroomsAreGroupsWithNumbersOfTheirOwn) {
    const HostHair a = testing_gpu::random_hair(30, 8, 1);
    const HostHair b = testing_gpu::random_hair(45, 8, 2);
    Graph g = graph();
    const HairGroom both =
        g.add(passes::MergeHair{.grooms = {groom_of(g, a), groom_of(g, b)}}).groom;
    ASSERT_EQ(both.count, 75u);
    ASSERT_EQ(both.group_count, 2u);
    passes::StepHair pass{.groom = both};
    pass.motion.gravity = glm::vec3(0.0f);
    pass.head.position = {0.01f, 0.0f, 0.0f};
    pass.motion.global_stiffness = {1.0f, 0.0f}; // the first group alone follows
    pass.motion.global_range = {1.0f};
    pass.motion.local_stiffness = {0.0f};
    pass.motion.length_iterations = 0;
    g.output("positions", g.add(pass).after.positions);
    g.output("groups", both.groups);
    Running running = run(std::move(g));
    const auto got = running.buffer<glm::vec4>("positions");
    const auto groups = running.buffer<std::uint32_t>("groups");
    for (std::size_t s = 0; s < 75; ++s) {
        EXPECT_EQ(groups[s], s < 30 ? 0u : 1u);
        const glm::vec4 rest = s < 30 ? a.points[s * 8 + 7] : b.points[(s - 30) * 8 + 7];
        EXPECT_LT(glm::distance(Vec(got[s * 8 + 7]), Vec(rest) + Vec(s < 30 ? 0.01f : 0.0f, 0, 0)),
                  1e-6);
    }
    Graph other = graph();
    (void)other.add(passes::MergeHair{
        .grooms = {groom_of(other, a), groom_of(other, testing_gpu::random_hair(3, 9, 1))}});
    EXPECT_EQ(std::move(other).finish().diagnostics.front().code, "hair/not-alike");
}

TEST_F(HairGroomTest, FollowersKeepTheirDistanceAndSpreadToTheTips) {
    const HostHair hair = testing_gpu::random_hair(40, 8, 3);
    Graph g = graph();
    passes::StepHair step{.groom = groom_of(g, hair)};
    step.motion.mode = passes::HairMode::rigid;
    const passes::HairShape guides = g.add(step).shape;
    const passes::HairShape all =
        g.add(passes::FollowHair{.guides = guides, .each = 5, .radius = 0.01f, .spread = 2.0f})
            .shape;
    ASSERT_EQ(all.count, 200u);
    g.output("positions", all.positions);
    g.output("guides", guides.positions);
    Running running = run(std::move(g));
    const auto got = running.buffer<glm::vec4>("positions");
    const auto guide = running.buffer<glm::vec4>("guides");
    double widest = 0.0;
    for (std::size_t s = 0; s < 200; ++s) {
        const std::size_t from = s / 5 * 8;
        const double root = glm::distance(Vec(got[s * 8]), Vec(guide[from]));
        widest = std::max(widest, root);
        EXPECT_LE(root, s % 5 == 0 ? 0.0 : 0.01 + 1e-6);
        for (std::size_t v = 0; v < 8; ++v)
            EXPECT_NEAR(glm::distance(Vec(got[s * 8 + v]), Vec(guide[from + v])),
                        root * (1.0 + 2.0 * static_cast<double>(v) / 8.0), 1e-5);
    }
    EXPECT_GT(widest, 0.009);
}

TEST_F(HairGroomTest, RootsMoveAndTurnWithTheTrianglesTheyAreBoundTo) {
    // Two triangles; the second is turned by 90 degrees about x and moved.
    const std::vector<float> rest{0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 0, 0, 3, 0, 0, 2, 0, 1};
    const std::vector<float> now{0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 5, 0, 3, 5, 0, 2, 4, 0};
    HostHair hair{.count = 2, .vertices = 4};
    for (const float x : {0.25f, 2.25f})
        for (int v = 0; v < 4; ++v)
            hair.points.emplace_back(x, 0.1f * static_cast<float>(v), 0.25f, 1.0f);
    Graph g = graph();
    const auto mesh = [&](const std::vector<float>& corners) {
        const auto bytes = testing_gpu::bytes_of(corners);
        const auto indices = testing_gpu::bytes_of(std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5});
        return passes::TriangleMesh{
            .positions = g.constant_buffer("corners", {.size = bytes->size(), .stride = 4}, bytes),
            .indices =
                g.constant_buffer("indices", {.size = indices->size(), .stride = 4}, indices),
            .vertex_count = 6,
            .triangle_count = 2};
    };
    const HairGroom groom = groom_of(g, hair);
    const passes::HairRoots roots =
        g.add(passes::SkinHair{.groom = groom, .rest = mesh(rest), .now = mesh(now)}).roots;
    passes::StepHair pass{.groom = groom, .roots = roots};
    pass.motion.mode = passes::HairMode::rigid;
    g.output("positions", g.add(pass).after.positions);
    Running running = run(std::move(g));
    const auto got = running.buffer<glm::vec4>("positions");
    for (int v = 0; v < 4; ++v) {
        const double up = 0.1 * v;
        EXPECT_LT(glm::distance(Vec(got[static_cast<std::size_t>(v)]), Vec(0.25, up, 0.25)), 1e-6);
        // z became -y, and so y became z.
        EXPECT_LT(glm::distance(Vec(got[static_cast<std::size_t>(4 + v)]), Vec(2.25, 4.75, up)),
                  1e-5);
    }
}

TEST_F(HairGroomTest, TheTableOfStretchHasARowForEachExecution) {
    const HostHair hair = testing_gpu::random_hair(300, 8, 4);
    std::vector<glm::vec4> longer = hair.points;
    for (std::size_t i = 0; i < longer.size(); ++i)
        if (i % 8 == 7) longer[i] += 0.5f * (longer[i] - longer[i - 1]);
    Graph g = graph();
    const HairGroom groom = groom_of(g, hair);
    const auto state = [&](const std::vector<glm::vec4>& places) {
        const Buffer buffer = vectors_of(g, "places", places);
        return passes::HairState{.positions = buffer, .previous = buffer};
    };
    g.output("table", g.add(passes::HairStretch{.grooms = {groom, groom},
                                                .states = {state(hair.points), state(longer)},
                                                .rows = 3})
                          .table);
    Running running = run(std::move(g), 2);
    const auto table = running.buffer<float>("table");
    ASSERT_EQ(table.size(), 12u);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(table[i], 0.0f) << "before the first execution";
    for (std::size_t row = 1; row < 3; ++row) {
        EXPECT_LT(table[4 * row], 2e-5f);
        EXPECT_NEAR(table[4 * row + 2], 0.5f, 2e-5f);
        EXPECT_NEAR(table[4 * row + 3], 0.5f / 6.0f, 2e-5f); // one of six free edges
    }
}

TEST_F(HairGroomTest, NamesOfHairsAreThoseOfTheTablesColumns) {
    const HostHair hair = testing_gpu::random_hair(3, 8, 4);
    const auto built = [&](std::vector<std::string> names) {
        Graph other = graph();
        const HairGroom one = groom_of(other, hair);
        const auto after = other.add(passes::StepHair{.groom = one}).after;
        (void)other.add(passes::HairStretch{
            .grooms = {one, one}, .states = {after, after}, .names = std::move(names)});
        const GraphDesc desc = std::move(other).finish();
        return desc.diagnostics.empty() ? std::string() : desc.diagnostics.front().code;
    };
    EXPECT_EQ(built({}), "");
    EXPECT_EQ(built({"a", "b"}), "");
    EXPECT_EQ(built({"a"}), "hair/not-alike");
}

TEST_F(HairGroomTest, BadNumbersAreRefused) {
    EXPECT_EQ(code_for(GroomHair{.count = 8}), "");
    EXPECT_EQ(code_for(GroomHair{.count = 8, .axis = glm::vec3(0.0f)}), "pass/out-of-range");
    EXPECT_EQ(code_for(GroomHair{.count = 8, .inner_angle = 50, .outer_angle = 40}),
              "pass/out-of-range");
    EXPECT_EQ(code_for(GroomHair{.vertices = 65}), "pass/out-of-range");
    EXPECT_EQ(code_for(GroomHair{.count = passes::kMaxStrands, .vertices = 64}), "hair/too-large");
    EXPECT_EQ(code_for(passes::CollideHair{.capsules = {1, 2, 3}}), "hair/bad-capsules");
    EXPECT_EQ(code_for(passes::CollideHair{.capsules = {0, 0, 0, -1, 0, 0, 0, 1}}),
              "hair/bad-capsules");
    EXPECT_EQ(code_for(passes::CollideHair{.capsules = std::vector<float>(8 * 17, 1.0f)}),
              "hair/bad-capsules");
    Graph g = graph();
    passes::StepHair pass{.groom = groom_of(g, testing_gpu::random_hair(3, 8, 1))};
    pass.motion.damping = {};
    (void)g.add(pass);
    EXPECT_EQ(std::move(g).finish().diagnostics.front().code, "hair/few-numbers");
}

} // namespace
} // namespace tuff
