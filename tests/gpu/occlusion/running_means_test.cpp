#include "passes/occlusion/cube_means.hpp"
#include "tests/gpu/occlusion/occlusion_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

/// Levels of N-buffers of 16 bits against whole numbers on the CPU, which are added along one axis
/// after the other.
namespace tuff {
namespace {

using passes::OcclusionBorder;
using passes::OcclusionCubeMeans;
using passes::OcclusionPrecision;
using testing_gpu::nodes_named;
using testing_gpu::noise_of_units;
using testing_gpu::OpacityVolume;
using testing_gpu::Running;
using testing_gpu::texel_of;
using testing_gpu::WholeLevel;

class RunningMeans : public testing_gpu::GpuTest {};

/// The mean of each texel and those before it along the axis, `width` in all, rounded.
WholeLevel means_along(const WholeLevel& source, int axis, int width, OcclusionBorder border) {
    glm::ivec3 dims = source.dims;
    dims[axis] += width - 1;
    const int count = source.dims[axis];
    return WholeLevel::of(dims, [&](glm::ivec3 texel) {
        const int end = texel[axis] + 1;
        const auto value = [&](int at) {
            texel[axis] = at;
            return std::uint64_t{source.at(texel, border)};
        };
        const auto times = [&](int beyond) {
            return static_cast<std::uint64_t>(std::clamp(beyond, 0, width));
        };
        std::uint64_t sum = value(-1) * times(width - end) + value(count) * times(end - count);
        for (int at = std::max(end - width, 0); at < std::min(end, count); ++at)
            sum += value(at);
        const auto whole = static_cast<std::uint64_t>(width);
        return static_cast<std::uint32_t>((sum + whole / 2) / whole);
    });
}

WholeLevel cube_means(const OpacityVolume& volume, std::uint32_t level, OcclusionBorder border) {
    WholeLevel means = WholeLevel::of(volume.dims, [&](glm::ivec3 voxel) {
        return static_cast<std::uint32_t>(std::lround(volume.at(voxel) * 65535.0));
    });
    for (int axis = 0; axis < 3; ++axis)
        means = means_along(means, axis, 1 << level, border);
    return means;
}

std::size_t wrong_texels(const HostImage& got, const WholeLevel& expected) {
    const glm::uvec3 dims(expected.dims);
    if (got.extent != Extent{dims.x, dims.y, dims.z}) return expected.units.size();
    std::size_t wrong = 0;
    static_cast<void>(WholeLevel::of(expected.dims, [&](glm::ivec3 texel) {
        const auto units = static_cast<std::uint32_t>(std::lround(texel_of(got, texel) * 65535.0));
        wrong += units != expected.at(texel, OcclusionBorder::open);
        return units;
    }));
    return wrong;
}

// To the last bit: all levels, and beyond a group's blocks, rows and slices.
TEST_F(RunningMeans, OfAllLevelsAreThoseOfWholeNumbers) {
    for (const glm::ivec3 size : {glm::ivec3(70, 41, 9), glm::ivec3(5, 9, 140),
                                  glm::ivec3(2, 60, 1), glm::ivec3(1, 1, 3), glm::ivec3(8, 1, 1)})
        for (const OcclusionBorder border : {OcclusionBorder::open, OcclusionBorder::clamp}) {
            const OpacityVolume volume = noise_of_units(size);
            const int longest = std::max({size.x, size.y, size.z});
            Graph g = graph();
            const Image opacity = volume.image(g);
            for (std::uint32_t level = 1; level <= 6 && 1 << level <= longest; ++level)
                g.output(
                    fmt::format("level_{}", level),
                    g.add(OcclusionCubeMeans{.opacity = opacity, .level = level, .border = border})
                        .result);
            Running running = run(std::move(g));
            for (std::uint32_t level = 1; level <= 6 && 1 << level <= longest; ++level)
                EXPECT_EQ(wrong_texels(running.image(fmt::format("level_{}", level)),
                                       cube_means(volume, level, border)),
                          0u)
                    << size.x << " x " << size.y << " x " << size.z << ", level " << level << ", "
                    << (border == OcclusionBorder::open);
        }
}

// Rows of more blocks than a group has, cubes wider than a run along y and z is without them, and
// runs that begin within the volume.
TEST_F(RunningMeans, OfLongRowsAndWideCubesAreThoseOfWholeNumbers) {
    struct Case {
        glm::ivec3 size;
        std::uint32_t level;
        OcclusionBorder border;
    };
    const Case cases[] = {
        {{1990, 2, 3}, 5, OcclusionBorder::open}, {{2000, 1, 2}, 4, OcclusionBorder::clamp},
        {{1, 2, 150}, 7, OcclusionBorder::open},  {{3, 530, 1}, 3, OcclusionBorder::clamp},
        {{2, 1, 530}, 3, OcclusionBorder::open},  {{64, 64, 64}, 6, OcclusionBorder::clamp},
    };
    for (const auto& [size, level, border] : cases) {
        const OpacityVolume volume = noise_of_units(size);
        Graph g = graph();
        const OcclusionCubeMeans pass =
            g.add(OcclusionCubeMeans{.opacity = volume.image(g), .level = level, .border = border});
        g.output("level", pass.result);
        EXPECT_EQ(wrong_texels(run(std::move(g)).image("level"), cube_means(volume, level, border)),
                  0u)
            << size.x << " x " << size.y << " x " << size.z;
    }
}

// Other precisions, a budget that not all levels fit into and buffers that are too small take
// levels one after the other.
TEST_F(RunningMeans, AreUsedWhereBuffersHaveRoom) {
    const auto nodes_of = [&](std::uint64_t most_bytes, auto&& set) {
        OcclusionCubeMeans pass{.level = 5};
        set(pass);
        return nodes_named(graph(), "means_along", most_bytes, 48, pass);
    };
    const auto as_it_is = [](OcclusionCubeMeans&) {};
    // 10 blocks of 16 bytes, 79 rows, 48 slices.
    constexpr std::uint64_t kNeeded = std::uint64_t{10} * 16 * 79 * 48;
    EXPECT_EQ(nodes_of(kNeeded, as_it_is), 3);
    EXPECT_EQ(nodes_of(kNeeded - 1, as_it_is), 0);
    EXPECT_EQ(
        nodes_of(kNeeded,
                 [](OcclusionCubeMeans& pass) { pass.precision = OcclusionPrecision::float16; }),
        0);
    EXPECT_EQ(nodes_of(kNeeded, [](OcclusionCubeMeans& pass) { pass.budget = 2; }), 0);
    EXPECT_EQ(nodes_of(kNeeded, [](OcclusionCubeMeans& pass) { pass.budget = 3; }), 3);
}

} // namespace
} // namespace tuff
