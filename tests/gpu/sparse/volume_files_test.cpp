#include "passes/sparse/bricks.hpp"
#include "passes/sparse/field.hpp"
#include "tests/common/test_folder.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/volume.hpp>

#include <cstring>
#include <random>
#include <string>
#include <vector>

/// Fields in bricks that go through a file.
namespace tuff {
namespace {

using passes::SparseBricks;
using passes::SparseBricksPass;
using passes::SparseGather;
using passes::SparseScatter;
using testing_gpu::bytes_of;
using testing_gpu::Running;

class SparseVolumeFiles : public testing_gpu::GpuTest {
  protected:
    /// `values` through the bricks of a box, and back.
    std::vector<std::uint32_t> through_bricks(const std::vector<std::uint32_t>& values) {
        Graph g = graph();
        const SparseBricks bricks = g.add(SparseBricksPass{.dims = kDims,
                                                           .box_low = glm::ivec3(9, 2, 0),
                                                           .box_high = glm::ivec3(30, 9, 6)})
                                        .bricks;
        const Buffer source =
            g.constant_buffer("values", {.size = 4 * values.size(), .stride = 4}, bytes_of(values));
        const Buffer field = g.add(SparseScatter{.bricks = bricks, .source = source}).field;
        g.output("gathered", g.add(SparseGather{.bricks = bricks, .field = field}).result);
        Running running = run(std::move(g));
        if (!running) return {};
        return running.buffer<std::uint32_t>("gathered");
    }
    static constexpr glm::uvec3 kDims{40, 19, 16};
    static constexpr Extent kExtent{40, 19, 16};
};

TEST_F(SparseVolumeFiles, BricksComeBackFromNanovdbToTheBit) {
    std::mt19937 random(8);
    std::vector<std::uint32_t> values(std::size_t{kDims.x} * kDims.y * kDims.z);
    for (std::uint32_t& value : values)
        value = random() % 3 == 0 ? 0 : 0x3f000000u + static_cast<std::uint32_t>(random() >> 9);
    const std::vector<std::uint32_t> stored = through_bricks(values);
    ASSERT_EQ(stored.size(), values.size());
    ASSERT_NE(stored, values); // what is outside of the box has no bricks
    HostImage image = make_image(Format::r32_sfloat, kExtent);
    ASSERT_EQ(image.texels.size(), 4 * stored.size());
    std::memcpy(image.texels.data(), stored.data(), image.texels.size());

    const std::string file = (test::empty_folder() / "field.nvdb").string();
    const auto saved = save_volume(file, image);
    if (!saved && saved.error()[0].code == "volume/no-library") GTEST_SKIP() << "no NanoVDB";
    ASSERT_TRUE(saved) << to_string(saved.error());
    const auto loaded = load_volume(file);
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    ASSERT_EQ(loaded->image.extent, kExtent);
    std::vector<std::uint32_t> read(stored.size());
    ASSERT_EQ(loaded->image.texels.size(), 4 * read.size());
    std::memcpy(read.data(), loaded->image.texels.data(), 4 * read.size());
    EXPECT_EQ(read, stored);
    EXPECT_EQ(through_bricks(read), stored);
}

} // namespace
} // namespace tuff
