#include "passes/occlusion/ambient.hpp"
#include "tests/gpu/occlusion/occlusion_test.hpp"

#include <algorithm>
#include <cmath>

/// N-buffers of 16 bits against whole numbers on the CPU, level by level.
namespace tuff {
namespace {

using passes::OcclusionAmbient;
using passes::OcclusionBorder;
using passes::OcclusionMethod;
using passes::OcclusionPrecision;
using testing_gpu::nodes_named;
using testing_gpu::noise_of_units;
using testing_gpu::OpacityVolume;
using testing_gpu::WholeLevel;
using testing_gpu::worst_texel;

class PackedLevels : public testing_gpu::GpuTest {};

constexpr double kUnit = 1.0 / 65535.0;

/// Of the volume, and those above it that are no wider than its longest side.
std::vector<WholeLevel> whole_levels(const OpacityVolume& volume, std::uint32_t most,
                                     OcclusionBorder border) {
    std::vector<WholeLevel> levels{WholeLevel::of(volume.dims, [&](glm::ivec3 voxel) {
        return static_cast<std::uint32_t>(volume.at(voxel) * 65535.0 + 0.5);
    })};
    const int longest = std::max({volume.dims.x, volume.dims.y, volume.dims.z});
    for (int apart = 1; 2 * apart <= longest && levels.size() <= most; apart *= 2) {
        const WholeLevel& below = levels.back();
        levels.push_back(WholeLevel::of(below.dims + apart, [&](glm::ivec3 texel) {
            std::uint32_t sum = 4; // rounds to the nearest
            for (int i = 0; i < 8; ++i)
                sum += below.at(texel - apart * glm::ivec3(i & 1, i >> 1 & 1, i >> 2), border);
            return sum / 8;
        }));
    }
    return levels;
}

/// What comes through all shells, kept in full.
std::vector<double> open_of(const OpacityVolume& volume, const OcclusionAmbient& pass) {
    const std::vector<WholeLevel> levels = whole_levels(volume, pass.shells, pass.border);
    std::vector<double> open;
    volume.each([&](glm::ivec3 voxel) {
        double inner = levels[0].at(voxel, pass.border) * kUnit;
        double product = pass.own ? 1.0 - inner : 1.0;
        for (std::size_t number = 1; number < levels.size(); ++number) {
            const int half = 1 << (number - 1);
            std::uint32_t sum = 0;
            for (int i = 0; i < 8; ++i)
                sum += levels[number].at(voxel + half - glm::ivec3(i & 1, i >> 1 & 1, i >> 2),
                                         pass.border);
            const double outer = sum * kUnit / 8.0;
            const double shell = std::clamp((8.0 * outer - inner) / 7.0, 0.0, 1.0);
            product *= std::pow(1.0 - shell, std::pow(static_cast<double>(pass.growth),
                                                      static_cast<double>(number) - 1.0));
            inner = outer;
        }
        open.push_back(std::pow(product, static_cast<double>(pass.strength)));
    });
    return open;
}

TEST_F(PackedLevels, AreThoseOfWholeNumbers) {
    struct Case {
        glm::ivec3 size;
        std::uint32_t shells = 6;
        bool own = false;
        float growth = 1.0f;
        float strength = 1.0f;
    };
    const Case cases[] = {
        {.size = {16, 16, 16}},
        {.size = {13, 21, 7}, .shells = 3, .own = true},
        {.size = {1, 1, 1}, .own = true},
        {.size = {1, 5, 1}},
        {.size = {3, 1, 2}},
        {.size = {9, 2, 140}, .growth = 1.4f},
        {.size = {70, 41, 33}, .growth = 1.4f, .strength = 0.7f},
        {.size = {8, 130, 5}, .shells = 7},
    };
    for (const Case& c : cases)
        for (const OcclusionBorder border : {OcclusionBorder::open, OcclusionBorder::clamp}) {
            const OpacityVolume volume = noise_of_units(c.size);
            Graph g = graph();
            OcclusionAmbient pass{.opacity = volume.image(g), .shells = c.shells, .border = border};
            pass.own = c.own;
            pass.growth = c.growth;
            pass.strength = c.strength;
            g.output("open", g.add(pass).result);
            const HostImage image = run(std::move(g)).image("open");
            const std::vector<double> expected = open_of(volume, pass);
            // The result is rounded to 16 bits, of powers in f32.
            EXPECT_LE(worst_texel(image,
                                  [&](glm::ivec3 v) {
                                      return expected[static_cast<std::size_t>(
                                          (v.z * c.size.y + v.y) * c.size.x + v.x)];
                                  }),
                      0.5 * kUnit + 4e-6)
                << c.size.x << " x " << c.size.y << " x " << c.size.z << " "
                << (border == OcclusionBorder::open);
        }
}

TEST_F(PackedLevels, AreKeptWhereABindingHasRoomForThem) {
    const auto nodes_of = [&](std::uint64_t most_bytes, auto&& set) {
        OcclusionAmbient pass;
        set(pass);
        return nodes_named(graph(), "level_0", most_bytes, 8, pass);
    };
    const auto as_it_is = [](OcclusionAmbient&) {};
    EXPECT_EQ(nodes_of(1u << 27, as_it_is), 1);
    EXPECT_EQ(nodes_of(1u << 13, as_it_is), 0);
    EXPECT_EQ(nodes_of(1u << 27, [](OcclusionAmbient& pass) { pass.normals = true; }), 0);
    EXPECT_EQ(
        nodes_of(1u << 27, [](OcclusionAmbient& pass) { pass.method = OcclusionMethod::mip; }), 0);
    EXPECT_EQ(
        nodes_of(1u << 27,
                 [](OcclusionAmbient& pass) { pass.precision = OcclusionPrecision::float32; }),
        0);
}

} // namespace
} // namespace tuff
