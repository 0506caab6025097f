#include "passes/distance/antialiased.hpp"
#include "passes/distance/cells.hpp"
#include "passes/distance/cones.hpp"
#include "passes/distance/contour.hpp"
#include "passes/distance/erosion.hpp"
#include "passes/distance/exact.hpp"
#include "passes/distance/grassfire.hpp"
#include "passes/distance/jump_flood.hpp"
#include "passes/distance/normalize.hpp"
#include "passes/distance/saito.hpp"
#include "passes/distance/seed.hpp"
#include "passes/distance/shade.hpp"
#include "passes/distance/signed.hpp"
#include "tests/gpu/distance/distance_test.hpp"

namespace tuff {
namespace {

constexpr std::uint32_t kExactSide = passes::kExactLimits.side;

class DistanceBadInput : public DistanceTest {
  protected:
    /// The first diagnostic of a graph with this pass; "" where there is none.
    template <typename Pass>
    std::string code_of(Image Pass::*input, ImageDesc desc) {
        Graph g = graph();
        Pass pass;
        pass.*input = g.image("picture", desc);
        (void)g.add(pass);
        const GraphDesc done = std::move(g).finish();
        return done.diagnostics.empty() ? std::string() : done.diagnostics.front().code;
    }
    template <typename Pass>
    void expect_refusals_of_seeds(std::uint32_t side = passes::kMaxFieldSide) {
        const auto code = [&](ImageDesc desc) { return code_of(&Pass::seed, desc); };
        const Extent longest{.width = side, .height = 1};
        const Extent wide{.width = side + 1, .height = 1};
        const Extent high{.width = 1, .height = side + 1};
        EXPECT_EQ(code({.format = Format::r8_uint, .extent = longest}), "");
        EXPECT_EQ(code({.format = Format::r8_uint, .extent = wide}), "distance/too-large");
        EXPECT_EQ(code({.format = Format::r32_uint, .extent = high}), "distance/too-large");
        const Extent small{.width = 5, .height = 4};
        EXPECT_EQ(code({.format = Format::r8_unorm, .extent = small}), "distance/seed-format");
        EXPECT_EQ(code({.format = Format::rgba8_unorm, .extent = small}), "distance/seed-format");
        EXPECT_EQ(code({.format = Format::r8_uint, .extent = small, .layers = 2}),
                  "image/not-two-dimensional");
    }
};

TEST_F(DistanceBadInput, SeedsOfOtherFormatsAndTooLargeOnesAreRefused) {
    expect_refusals_of_seeds<passes::SaitoToriwaki>();
    expect_refusals_of_seeds<passes::Grassfire>();
    expect_refusals_of_seeds<passes::ErosionDistance>();
    expect_refusals_of_seeds<passes::JumpFlood>();
    expect_refusals_of_seeds<passes::DistanceCones>(passes::kMaxDrawnSide);
    expect_refusals_of_seeds<passes::DistanceParticles>(passes::kMaxDrawnSide);
    expect_refusals_of_seeds<passes::ExactDistance>(kExactSide);
    expect_refusals_of_seeds<passes::SignedDistance>(kExactSide);
}

TEST_F(DistanceBadInput, VolumesAreOnlyForJumpFlooding) {
    const ImageDesc volume{.format = Format::r8_uint, .extent = {8, 8, 8}, .shape = ImageShape::d3};
    EXPECT_EQ(code_of(&passes::JumpFlood::seed, volume), "");
    EXPECT_EQ(code_of(&passes::JumpFlood::seed,
                      {.format = Format::r8_uint, .extent = {2, 2, 1025}, .shape = ImageShape::d3}),
              "distance/too-large");
    EXPECT_EQ(code_of(&passes::Grassfire::seed, volume), "image/not-two-dimensional");
    EXPECT_EQ(code_of(&passes::ErosionDistance::seed, volume), "image/not-two-dimensional");
    EXPECT_EQ(code_of(&passes::SaitoToriwaki::seed, volume), "image/not-two-dimensional");
    EXPECT_EQ(code_of(&passes::DistanceCones::seed, volume), "image/not-two-dimensional");
}

TEST_F(DistanceBadInput, ConesHaveThreeSidesOrMore) {
    for (const auto& [segments, code] :
         {std::pair{1u, "pass/out-of-range"}, {2u, "pass/out-of-range"}, {3u, ""}}) {
        Graph g = graph();
        (void)g.add(passes::DistanceCones{
            .seed = g.image("seed", {.format = Format::r8_uint, .extent = {8, 8, 1}}),
            .segments = segments});
        const GraphDesc done = std::move(g).finish();
        EXPECT_EQ(done.diagnostics.empty() ? "" : done.diagnostics.front().code, code);
    }
}

TEST(DistanceStatusWarnings, HaveTheirCodes) {
    const auto codes = [](const passes::DistanceStatus& status) {
        std::vector<std::string> all;
        for (const Diagnostic& one : status.warnings())
            all.push_back(one.code);
        return all;
    };
    using Codes = std::vector<std::string>;
    EXPECT_EQ(codes({}), Codes{});
    EXPECT_EQ(codes({.codes = passes::kEmptySeed}), Codes{"distance/empty-seed"});
    EXPECT_EQ(codes({.codes = passes::kUnfinished}), Codes{"distance/max-passes"});
    EXPECT_EQ(codes({.codes = passes::kFlattened}), Codes{"distance/flattened"});
    EXPECT_EQ(codes({.codes = passes::kFullSeed}), Codes{"distance/full-seed"});
    EXPECT_EQ(codes({.not_finite = 3}), Codes{"distance/not-finite"});
}

TEST_F(DistanceBadInput, PicturesTooLargeForAFieldMakeNoSeed) {
    const Extent wide{.width = passes::kMaxFieldSide + 1, .height = 1};
    EXPECT_EQ(code_of(&passes::DistanceSeed::source, {.format = Format::r8_unorm, .extent = wide}),
              "distance/too-large");
}

TEST_F(DistanceBadInput, PicturesOfCoverageHaveTheSizesOfExactFields) {
    const auto code = [&](Extent extent) {
        return code_of(&passes::AntialiasedDistance::source,
                       {.format = Format::r8_unorm, .extent = extent});
    };
    EXPECT_EQ(code({.width = kExactSide, .height = 1}), "");
    EXPECT_EQ(code({.width = kExactSide + 1, .height = 1}), "distance/too-large");
    EXPECT_EQ(code({.width = 65536, .height = 2}), "distance/too-large");
    EXPECT_EQ(code({.width = 2, .height = 65536}), "distance/too-large");
}

TEST_F(DistanceBadInput, FieldsAndPicturesOfShadingAreNotTooLarge) {
    for (const auto method : {passes::ShadeMethod::compute, passes::ShadeMethod::raster}) {
        const auto code = [&](Extent field, std::uint32_t width) {
            Graph g = graph();
            (void)g.add(passes::ShadeDistance{
                .field = g.image("field", {.format = Format::r32_sfloat, .extent = field}),
                .width = width,
                .height = 8,
                .method = method});
            const GraphDesc done = std::move(g).finish();
            return done.diagnostics.empty() ? std::string() : done.diagnostics.front().code;
        };
        EXPECT_EQ(code({.width = passes::kMaxFieldSide, .height = 1}, 8), "");
        EXPECT_EQ(code({.width = passes::kMaxFieldSide + 1, .height = 1}, 8), "distance/too-large");
        EXPECT_EQ(code({.width = 1, .height = 65536}, 8), "distance/too-large");
        EXPECT_EQ(code({.width = 8, .height = 8}, 16384), "");
        EXPECT_EQ(code({.width = 8, .height = 8}, 16385), "pass/out-of-range");
        EXPECT_EQ(code({.width = 8, .height = 8}, 65536), "pass/out-of-range");
        EXPECT_EQ(code({.width = 65536, .height = 8}, 0), "distance/too-large");
    }
}

/// Nothing is divided by their sides, and no loop waits for them.
TEST_F(DistanceBadInput, PicturesWithoutTexelsAreReported) {
    for (const Extent extent : {Extent{0, 4, 1}, Extent{4, 0, 1}, Extent{0, 0, 1}}) {
        const ImageDesc seed{.format = Format::r8_uint, .extent = extent};
        const ImageDesc grey{.format = Format::r8_unorm, .extent = extent};
        const ImageDesc real{.format = Format::r32_sfloat, .extent = extent};
        EXPECT_EQ(code_of(&passes::DistanceSeed::source, grey), "graph/zero-size");
        EXPECT_EQ(code_of(&passes::AntialiasedDistance::source, grey), "graph/zero-size");
        EXPECT_EQ(code_of(&passes::SignedDistance::seed, seed), "graph/zero-size");
        EXPECT_EQ(code_of(&passes::ExactDistance::seed, seed), "graph/zero-size");
        EXPECT_EQ(code_of(&passes::SaitoToriwaki::seed, seed), "graph/zero-size");
        EXPECT_EQ(code_of(&passes::Grassfire::seed, seed), "graph/zero-size");
        EXPECT_EQ(code_of(&passes::ErosionDistance::seed, seed), "graph/zero-size");
        EXPECT_EQ(code_of(&passes::JumpFlood::seed, seed), "graph/zero-size");
        EXPECT_EQ(code_of(&passes::DistanceCones::seed, seed), "graph/zero-size");
        EXPECT_EQ(code_of(&passes::DistanceParticles::seed, seed), "graph/zero-size");
        EXPECT_EQ(code_of(&passes::NormalizeDistance::field, real), "graph/zero-size");
        EXPECT_EQ(code_of(&passes::ShadeDistance::field, real), "graph/zero-size");
    }
}

} // namespace
} // namespace tuff
