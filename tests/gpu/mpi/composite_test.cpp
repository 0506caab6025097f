// Pictures of a volume that ranks have in parts: each rank casts rays through its own, and they are
// laid over each other as one rank's rays meet them.

#include "passes/mpi/composite.hpp"
#include "passes/mpi/exchange.hpp"
#include "passes/volume/cast.hpp"
#include "ranks_fixture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace tuff {
namespace {

using passes::CameraMode;
using passes::Cells;
using passes::CompositeParts;
using passes::HaloExchange;
using passes::VolumeCast;
using passes::VolumeCastMode;
using passes::VolumeRays;
using testing_gpu::floats;
using testing_gpu::part_size;
using testing_gpu::part_texels;
using testing_gpu::Running;
using testing_gpu::values_in;

const Cells kSmoke{13, 11, 9};
constexpr std::int32_t kSmokeHalo = 2;

/// Clouds of different colors, dense enough that the order shows.
float smoke_at(const Cells& cell) {
    const auto wave = [](std::uint32_t i, float rate) {
        return std::sin(rate * static_cast<float>(i) + 0.3f);
    };
    return 0.5f + 0.5f * wave(cell[0], 0.7f) * wave(cell[1], 0.9f) * wave(cell[2], 1.3f);
}

struct SmokeView {
    std::string name;
    VolumeCast cast;
    bool everywhere = false;
};

VolumeCast cast_of(float azimuth, float elevation, VolumeRays rays) {
    VolumeCast cast;
    cast.transfer = {0.0f, 0.9f, 0.1f, 0.2f, 0.02f, 0.4f, 0.1f, 0.8f, 0.3f, 0.0f,
                     0.6f, 0.2f, 0.3f, 1.0f, 0.1f,  1.0f, 1.0f, 0.9f, 0.6f, 0.5f};
    cast.opaque = 0.0f;
    cast.width = 23;
    cast.height = 17;
    cast.camera.azimuth = azimuth;
    cast.camera.elevation = elevation;
    cast.rays = rays;
    cast.background = {0.1f, 0.2f, 0.3f, 0.7f};
    return cast;
}

std::vector<SmokeView> smoke_views() {
    using enum VolumeRays;
    SmokeView shaded{"shaded", cast_of(140.0f, 50.0f, perspective)};
    shaded.cast.shaded = true;
    shaded.cast.jitter = 1.0f;
    SmokeView inside{"inside", cast_of(0.0f, 0.0f, perspective)};
    inside.cast.camera.mode = CameraMode::free;
    inside.cast.camera.position = {0.17f, -0.21f, 0.13f};
    inside.cast.camera.target = {-0.9f, 0.4f, -0.6f};
    inside.cast.camera.vertical_fov = 120.0f;
    inside.cast.camera.near_plane = 0.01f;
    inside.cast.camera.far_plane = 10.0f;
    SmokeView clipped{"clipped", cast_of(60.0f, 20.0f, perspective)};
    clipped.cast.clip_low = {0.2f, 0.0f, 0.3f};
    clipped.cast.clip_planes = {0.5f, 0.7f, -0.2f, 0.3f};
    SmokeView low{"low", cast_of(35.0f, 20.0f, perspective), true};
    low.cast.height = 3; // fewer rows than ranks
    SmokeView ended{"ended", cast_of(35.0f, 20.0f, perspective)};
    ended.cast.opaque = 0.2f;
    return {{"front", cast_of(35.0f, 20.0f, perspective)},
            {"behind", cast_of(215.0f, -30.0f, perspective), true},
            {"parallel", cast_of(35.0f, 20.0f, orthographic)},
            {"parallel_behind", cast_of(250.0f, -10.0f, orthographic)},
            shaded,
            inside,
            clipped,
            low,
            ended};
}

class CompositesOfRanks : public testing_gpu::RanksTest {
  protected:
    using Pictures = std::vector<std::vector<float>>; ///< four numbers a pixel

    static Image smoke(Graph& g, const Cells& halo) {
        return g.constant_image("smoke", floats(part_size(g.ranks(), kSmoke, halo), true),
                                part_texels(g.ranks(), kSmoke, halo, NAN, smoke_at));
    }

    Pictures cast_whole(const std::vector<SmokeView>& views) {
        Graph g = graph();
        const Image source = smoke(g, {});
        for (const SmokeView& view : views) {
            VolumeCast cast = view.cast;
            cast.source = source;
            g.output(view.name, g.add(cast, view.name).result);
        }
        return pictures(run(std::move(g)), views);
    }

    Pictures cast_in_parts(const std::vector<SmokeView>& views, const Ranks& ranks) {
        Graph g = graph_of(ranks);
        const glm::ivec3 cells(kSmoke[0], kSmoke[1], kSmoke[2]);
        constexpr auto width = static_cast<std::uint32_t>(kSmokeHalo);
        const Image source = g.add(HaloExchange{.source = smoke(g, {width, width, width}),
                                                .cells = cells,
                                                .halo = kSmokeHalo})
                                 .result;
        const auto part = ranks.part(kSmoke);
        for (const SmokeView& view : views) {
            VolumeCast cast = view.cast;
            cast.source = source;
            cast.part = {.cells = cells,
                         .first = {part[0].first, part[1].first, part[2].first},
                         .halo = kSmokeHalo};
            cast = g.add(cast, view.name);
            const CompositeParts composite{.source = cast.result,
                                           .eye = cast.eye,
                                           .cells = cells,
                                           .background = cast.background,
                                           .everywhere = view.everywhere};
            g.output(view.name, g.add(composite, view.name + "_whole").result);
        }
        return pictures(run(std::move(g)), views);
    }

    static Pictures pictures(Running running, const std::vector<SmokeView>& views) {
        Pictures all;
        for (const SmokeView& view : views)
            all.push_back(values_in(running, view.name));
        return all;
    }

    std::vector<std::string> codes_of(Graph g) {
        const auto plan = compile(std::move(g).finish(), device().caps());
        std::vector<std::string> codes;
        if (!plan)
            for (const Diagnostic& error : plan.error())
                codes.push_back(error.code);
        return codes;
    }
};

/// The greatest difference that rounding makes: a ray of n samples rounds what shines through to a
/// sample n times at most and the share of a sample twice, adds up n numbers of a sum of at most 1;
/// the same in parts, which take four more each.
double rounding_of_ray(const VolumeCast& cast, std::uint32_t ranks) {
    const double diagonal =
        std::hypot(double(kSmoke[0]), double(kSmoke[1]), double(kSmoke[2])); // texels
    const double samples = std::ceil(diagonal / static_cast<double>(cast.step)) + 1.0;
    return (2.0 * (2.0 * samples + 2.0) + 4.0 * ranks) * 0x1p-24;
}

TEST_F(CompositesOfRanks, AreThePicturesOfOneRank) {
    std::vector<SmokeView> views = smoke_views();
    // The other device's compiler takes seconds for each kernel.
    if (test::leaves_to("swiftshader"))
        std::erase_if(views, [](const SmokeView& v) { return v.cast.shaded; });
    const Pictures whole = cast_whole(views);
    const std::vector<Ranks> all = grids(kSmoke);
    for (const Ranks& ranks : all) {
        const Pictures parts = cast_in_parts(views, ranks);
        for (std::size_t i = 0; i < views.size(); ++i) {
            SCOPED_TRACE(testing::Message() << views[i].name << " over " << ranks.grid[0] << "x"
                                            << ranks.grid[1] << "x" << ranks.grid[2]);
            const VolumeCast& cast = views[i].cast;
            ASSERT_EQ(whole[i].size(), std::size_t{4} * cast.width * cast.height);
            ASSERT_EQ(parts[i].size(), whole[i].size());
            if (ranks.rank != 0 && !views[i].everywhere) {
                EXPECT_EQ(parts[i], std::vector<float>(whole[i].size(), 0.0f));
                continue;
            }
            // Rays that end early leave out what shines through, a whole one and those in parts.
            const double allowed =
                rounding_of_ray(cast, ranks.size()) + static_cast<double>(cast.opaque);
            double apart = 0.0;
            for (std::size_t k = 0; k < whole[i].size(); ++k)
                apart = std::max(apart, std::abs(double{parts[i][k]} - double{whole[i][k]}));
            EXPECT_LE(apart, allowed);
            const auto [least, most] = std::ranges::minmax(whole[i]);
            EXPECT_GT(most - least, 0.3f) << "the picture shows nothing";
        }
    }
}

const Cells kSpotted{43, 26, 21};

/// Spots in what is empty, over several bricks of each part.
float spot_at(const Cells& cell) {
    std::uint32_t hash = cell[0] * 7919u + cell[1] * 104729u + cell[2] * 1299709u;
    hash ^= hash >> 15;
    hash *= 0x2c1b3c6du;
    hash ^= hash >> 12;
    const float number = static_cast<float>(hash >> 8) * 0x1p-24f;
    return number > 0.997f ? number : 0.1f * number;
}

/// A rank's part with its halo, as an exchange leaves it: outside of the volume there is no number.
std::shared_ptr<const std::vector<std::byte>> spots_of(const Ranks& ranks) {
    const auto part = ranks.part(kSpotted);
    return testing_gpu::texels_of(
        part_size(ranks, kSpotted, {1, 1, 1}),
        [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
            const Cells past{part[0].first + x, part[1].first + y, part[2].first + z};
            Cells cell{};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                if (past[axis] == 0 || past[axis] > kSpotted[axis]) return NAN;
                cell[axis] = past[axis] - 1;
            }
            return spot_at(cell);
        });
}

/// Of each of several ranks, by one process: nothing travels.
TEST_F(CompositesOfRanks, AreTheSameToTheBitWithAndWithoutSkippingBricks) {
    if (job_size() > 1) GTEST_SKIP() << "one process makes all parts";
    std::vector<SmokeView> views = smoke_views();
    std::erase_if(views, [](const SmokeView& v) { return v.cast.shaded || v.name == "low"; });
    for (std::size_t i = 0; i < views.size(); ++i) {
        VolumeCast& cast = views[i].cast;
        // Nothing below 0.3; a jump, too.
        cast.transfer = {0.3f, 1.0f, 0.2f, 0.1f, 0.0f, 0.3f, 1.0f, 0.9f,
                         0.1f, 0.4f, 1.0f, 0.2f, 0.9f, 1.0f, 0.9f};
        if (i % 3 == 1) cast.step = 2.5f;
        if (i % 2 == 1) cast.jitter = 1.0f;
        if (i == 2) cast.filter = passes::VolumeFilter::nearest;
    }
    for (const std::array<std::uint32_t, 3> grid :
         {std::array{1u, 1u, 1u}, std::array{3u, 1u, 1u}, std::array{2u, 2u, 1u}}) {
        double seen = 0.0;
        for (Ranks ranks{.grid = grid}; ranks.rank < ranks.size(); ++ranks.rank) {
            const auto part = ranks.part(kSpotted);
            Graph g = graph();
            const Image source = g.constant_image(
                "spots", floats(part_size(ranks, kSpotted, {1, 1, 1}), true), spots_of(ranks));
            for (const SmokeView& view : views)
                for (const bool skip : {false, true}) {
                    VolumeCast cast = view.cast;
                    cast.source = source;
                    cast.skip = skip;
                    cast.part = {.cells = {kSpotted[0], kSpotted[1], kSpotted[2]},
                                 .first = {part[0].first, part[1].first, part[2].first},
                                 .halo = 1};
                    const std::string name = view.name + (skip ? "_skipped" : "");
                    cast = g.add(cast, name);
                    g.output(name, cast.result);
                    g.output(name + "_depth", cast.depth);
                }
            Running running = run(std::move(g));
            for (const SmokeView& view : views) {
                SCOPED_TRACE(testing::Message() << view.name << ", rank " << ranks.rank << " of "
                                                << grid[0] << "x" << grid[1] << "x" << grid[2]);
                const std::vector<float> all = values_in(running, view.name);
                EXPECT_EQ(all, values_in(running, view.name + "_skipped"));
                EXPECT_EQ(values_in(running, view.name + "_depth"),
                          values_in(running, view.name + "_skipped_depth"));
                for (const float number : all)
                    seen += std::abs(double{number});
            }
        }
        EXPECT_GT(seen, 100.0) << "the pictures show nothing";
    }
}

TEST_F(CompositesOfRanks, RefuseWhatAPartCannotShow) {
    const auto codes_in_part = [&](const auto& change) {
        Graph g = graph();
        VolumeCast cast = cast_of(0.0f, 0.0f, VolumeRays::perspective);
        cast.source = smoke(g, {2, 2, 2});
        cast.part = {.cells = {13, 11, 9}, .first = {0, 0, 0}, .halo = 2};
        change(cast);
        g.output("picture", g.add(cast).result);
        return codes_of(std::move(g));
    };
    const std::vector<std::string> part{"volume/part"};
    EXPECT_TRUE(codes_in_part([](VolumeCast&) {}).empty());
    EXPECT_EQ(codes_in_part([](VolumeCast& c) { c.mode = VolumeCastMode::surface; }), part);
    EXPECT_EQ(codes_in_part([](VolumeCast& c) { c.lookup = passes::TransferLookup::pair; }), part);
    EXPECT_EQ(codes_in_part([](VolumeCast& c) { c.filter = passes::VolumeFilter::device; }), part);
    EXPECT_EQ(codes_in_part([](VolumeCast& c) { c.weights = {1.0f}; }), part);
    EXPECT_EQ(codes_in_part([](VolumeCast& c) { c.open = c.source; }), part);
    EXPECT_EQ(codes_in_part([](VolumeCast& c) { c.part.first.y = 1; }), part);
    EXPECT_EQ(codes_in_part([](VolumeCast& c) { c.part.halo = 7; }), part);
    EXPECT_EQ(codes_in_part([](VolumeCast& c) {
                  c.part = {.cells = {17, 15, 13}, .first = {1, 1, 1}, .halo = 1};
                  c.shaded = true;
              }),
              part);
}

TEST_F(CompositesOfRanks, RefuseWhatIsNoPictureOfAPart) {
    Graph g = graph();
    VolumeCast cast = cast_of(0.0f, 0.0f, VolumeRays::perspective);
    cast.source = smoke(g, {2, 2, 2});
    cast.part = {.cells = {13, 11, 9}, .first = {0, 0, 0}, .halo = 2};
    cast = g.add(cast);
    const CompositeParts composite{.source = cast.depth, .eye = cast.eye, .cells = {13, 11, 9}};
    g.output("picture", g.add(composite).result);
    EXPECT_EQ(codes_of(std::move(g)), std::vector<std::string>{"mpi/unsupported-format"});
}

} // namespace
} // namespace tuff
