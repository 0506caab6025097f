#include "tests/gpu/gpu_fixture.hpp"

#include <array>
#include <cstdint>

namespace tuff {
namespace {

using testing::HasSubstr;

struct Faults {
    std::uint32_t faults = 0;
    float worst = 0.0f;
    std::array<std::uint32_t, 3> kinds{};
    static constexpr std::string_view kStructName = "Faults";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(Faults, faults), TUFF_MEMBER(Faults, worst),
                          TUFF_MEMBER(Faults, kinds)};
    }
    static Faults read(std::span<const std::uint32_t> words) { return {.faults = words[0]}; }
    Diagnostics warnings() const { return {}; }
};

struct Moved {
    std::uint32_t faults = 0;
    std::uint32_t padding = 0;
    float worst = 0.0f;
    static constexpr std::string_view kStructName = "Moved";
    static constexpr auto members() {
        return std::array{TUFF_MEMBER(Moved, faults), TUFF_MEMBER(Moved, worst)};
    }
    static Moved read(std::span<const std::uint32_t>) { return {}; }
    Diagnostics warnings() const { return {}; }
};

class StructCheck : public testing_gpu::GpuTest {
  protected:
    template <typename Status>
    Diagnostics mistakes() {
        Graph g = graph();
        auto node = g.compute("test/status_named");
        const Buffer status = node.write("status", g.fill(g.buffer("status", {.size = 32}), 0));
        node.dispatch(1);
        g.status<Status>(status);
        return g.peek().diagnostics;
    }
};

TEST_F(StructCheck, AStatusLikeTheKernelsBlockPasses) {
    EXPECT_TRUE(mistakes<Faults>().empty());
}

TEST_F(StructCheck, AStatusUnlikeTheKernelsBlockIsReported) {
    const Diagnostics found = mistakes<Moved>();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].code, "graph/struct-mismatch");
    EXPECT_THAT(found[0].message, HasSubstr("'worst' at byte 8 of struct Moved is at byte 4 of"));
}

} // namespace
} // namespace tuff
