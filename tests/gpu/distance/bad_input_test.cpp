#include "passes/distance/grassfire.hpp"
#include "passes/distance/saito.hpp"
#include "passes/distance/seed.hpp"
#include "tests/gpu/distance/distance_test.hpp"

namespace tuff {
namespace {

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
    void expect_refusals_of_seeds() {
        const auto code = [&](ImageDesc desc) { return code_of(&Pass::seed, desc); };
        const Extent longest{.width = passes::kMaxFieldSide, .height = 1};
        const Extent wide{.width = passes::kMaxFieldSide + 1, .height = 1};
        const Extent high{.width = 1, .height = passes::kMaxFieldSide + 1};
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
}

TEST_F(DistanceBadInput, PicturesTooLargeForAFieldMakeNoSeed) {
    const Extent wide{.width = passes::kMaxFieldSide + 1, .height = 1};
    EXPECT_EQ(code_of(&passes::DistanceSeed::source, {.format = Format::r8_unorm, .extent = wide}),
              "distance/too-large");
}

} // namespace
} // namespace tuff
