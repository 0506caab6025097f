#include "passes/occlusion/cube_means.hpp"
#include "tests/gpu/occlusion/occlusion_test.hpp"

#include <algorithm>
#include <limits>

/// Means over cubes against sums over boxes in double precision.
namespace tuff {
namespace {

using passes::OcclusionBorder;
using passes::OcclusionCubeMeans;
using passes::OcclusionMethod;
using passes::OcclusionPrecision;
using testing_gpu::BoxSums;
using testing_gpu::OpacityVolume;
using testing_gpu::Running;
using testing_gpu::texel_of;
using testing_gpu::worst_texel;

class CubeMeans : public testing_gpu::GpuTest {};

/// What a level may be off by: what its numbers and those of all levels below were rounded by.
double bound_of(OcclusionPrecision precision, std::uint32_t level) {
    switch (precision) {
    case OcclusionPrecision::unorm8: return (level + 1) / 510.0;
    case OcclusionPrecision::unorm16: return (level + 1) / 65535.0;
    case OcclusionPrecision::float16: return (level + 1) * 0x1p-12;
    case OcclusionPrecision::float32: return 2e-6;
    }
    return 0.0;
}

TEST_F(CubeMeans, OfAnNBufferAreThoseOfEveryCube) {
    const glm::ivec3 sizes[] = {{8, 8, 8}, {13, 7, 21}, {1, 1, 9}, {33, 5, 2}, {19, 26, 17}};
    for (const glm::ivec3 size : sizes) {
        const OpacityVolume volume = OpacityVolume::noise(size, 1);
        Graph g = graph();
        const Image opacity = volume.image(g);
        const auto name = [](std::uint32_t level, OcclusionBorder border,
                             OcclusionPrecision precision) {
            return std::to_string(level) + (border == OcclusionBorder::open ? "open" : "clamp") +
                   std::to_string(static_cast<int>(precision));
        };
        const auto each = [&](auto&& visit) {
            for (const OcclusionBorder border : {OcclusionBorder::open, OcclusionBorder::clamp})
                for (int precision = 0; precision < 4; ++precision)
                    for (const std::uint32_t level : {1u, 2u, 3u, 4u})
                        if (1 << level <= std::max({size.x, size.y, size.z}))
                            visit(level, border, static_cast<OcclusionPrecision>(precision));
        };
        each([&](std::uint32_t level, OcclusionBorder border, OcclusionPrecision precision) {
            OcclusionCubeMeans pass{.opacity = opacity, .level = level};
            pass.border = border;
            pass.precision = precision;
            g.output(name(level, border, precision), g.add(pass).result);
        });
        Running running = run(std::move(g));
        each([&](std::uint32_t level, OcclusionBorder border, OcclusionPrecision precision) {
            const HostImage image = running.image(name(level, border, precision));
            const int width = 1 << level;
            ASSERT_EQ(image.extent.width, static_cast<std::uint32_t>(size.x + width - 1));
            ASSERT_EQ(image.extent.depth, static_cast<std::uint32_t>(size.z + width - 1));
            const BoxSums sums(volume, border, width);
            EXPECT_LE(
                worst_texel(image, [&](glm::ivec3 t) { return sums.mean(t + 1 - width, width); }),
                bound_of(precision, level))
                << name(level, border, precision) << " of " << size.x << " x " << size.y;
        });
    }
}

TEST_F(CubeMeans, OfMipsAreAChainOfMeansOfEight) {
    for (const glm::ivec3 size : {glm::ivec3(16), glm::ivec3(21, 6, 37), glm::ivec3(1, 9, 2)}) {
        OpacityVolume finer = OpacityVolume::noise(size, 2);
        Graph g = graph();
        const Image opacity = finer.image(g);
        for (const OcclusionBorder border : {OcclusionBorder::open, OcclusionBorder::clamp})
            for (std::uint32_t level = 1; level <= 3; ++level) {
                OcclusionCubeMeans pass{.opacity = opacity, .level = level};
                pass.method = OcclusionMethod::mip;
                pass.border = border;
                pass.precision = OcclusionPrecision::float32;
                g.output(std::to_string(level) + (border == OcclusionBorder::open ? "o" : "c"),
                         g.add(pass).result);
            }
        Running running = run(std::move(g));
        for (const OcclusionBorder border : {OcclusionBorder::open, OcclusionBorder::clamp}) {
            OpacityVolume below = finer;
            for (std::uint32_t level = 1; level <= 3; ++level) {
                const OpacityVolume next =
                    OpacityVolume::of((below.dims + 1) / 2, [&](glm::ivec3 texel) {
                        double sum = 0.0;
                        for (int i = 0; i < 8; ++i)
                            sum += below.beyond(2 * texel + glm::ivec3(i & 1, i >> 1 & 1, i >> 2),
                                                border);
                        return sum / 8.0;
                    });
                const HostImage image = running.image(
                    std::to_string(level) + (border == OcclusionBorder::open ? "o" : "c"));
                ASSERT_EQ(image.extent.depth, static_cast<std::uint32_t>(next.dims.z));
                EXPECT_LE(worst_texel(image, [&](glm::ivec3 t) { return next.at(t); }), 2e-6)
                    << level;
                below = next;
            }
        }
    }
}

TEST_F(CubeMeans, OfHybridsAreThoseOfCubesThatBeginWithATexelOfTheMip) {
    const OpacityVolume volume = OpacityVolume::noise({27, 18, 31}, 3);
    const BoxSums sums(volume, OcclusionBorder::open, 32);
    Graph g = graph();
    const Image opacity = volume.image(g);
    for (std::uint32_t mips = 1; mips <= 3; ++mips) {
        OcclusionCubeMeans pass{.opacity = opacity, .level = 4};
        pass.method = OcclusionMethod::hybrid;
        pass.mips = mips;
        pass.precision = OcclusionPrecision::float32;
        g.output(std::to_string(mips), g.add(pass).result);
    }
    Running running = run(std::move(g));
    for (int mips = 1; mips <= 3; ++mips) {
        const HostImage image = running.image(std::to_string(mips));
        const int texel = 1 << mips;
        const int first = 1 - (16 >> mips);
        ASSERT_EQ(image.extent.width, static_cast<std::uint32_t>((27 + texel - 1) / texel - first));
        EXPECT_LE(
            worst_texel(image, [&](glm::ivec3 t) { return sums.mean((t + first) * texel, 16); }),
            2e-6)
            << mips;
    }
}

TEST_F(CubeMeans, EndWithTheVolumeAndKeepToTheBudget) {
    Graph g = graph();
    const OpacityVolume volume = OpacityVolume::noise({64, 64, 64}, 4);
    OcclusionCubeMeans pass{.opacity = volume.image(g), .level = 11};
    pass.method = OcclusionMethod::mip;
    const Image top = g.add(pass).result;
    EXPECT_EQ(g.extent(top), (Extent{1, 1, 1})); // 64 voxels wide, though 2048 were asked for
    // Levels 3 and 4 of an N-buffer have 71^3 and 79^3 texels of 16 bits, 1.62 MiB; above one mip
    // there are 35^3 and 39^3.
    pass.method = OcclusionMethod::n_buffer;
    pass.level = 4;
    pass.budget = 2;
    EXPECT_EQ(g.extent(g.add(pass).result).width, 79u);
    pass.budget = 1;
    EXPECT_EQ(g.extent(g.add(pass).result).width, 39u);
}

TEST_F(CubeMeans, TakeWhatIsNoOpacityForTheNearest) {
    OpacityVolume volume = OpacityVolume::of({4, 4, 4}, [](glm::ivec3) { return 0.0; });
    volume.numbers[0] = std::numeric_limits<float>::quiet_NaN();
    volume.numbers[1] = 7.0f;
    volume.numbers[2] = -3.0f;
    volume.numbers[3] = std::numeric_limits<float>::infinity();
    Graph g = graph();
    OcclusionCubeMeans pass{.opacity = volume.image(g), .level = 2};
    pass.method = OcclusionMethod::mip;
    pass.precision = OcclusionPrecision::float32;
    g.output("top", g.add(pass).result);
    EXPECT_EQ(texel_of(run(std::move(g)).image("top"), glm::ivec3(0)), 2.0 / 64.0);
}

} // namespace
} // namespace tuff
