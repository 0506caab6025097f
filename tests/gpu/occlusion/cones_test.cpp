#include "passes/occlusion/cones.hpp"
#include "passes/occlusion/opacity.hpp"
#include "tests/gpu/occlusion/occlusion_test.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <limits>

/// Cones against their definition in double precision, closed forms, and what they do with colours.
namespace tuff {
namespace {

using passes::OcclusionColors;
using passes::OcclusionCones;
using passes::OcclusionConeTrace;
using passes::OcclusionCover;
using passes::OcclusionPrecision;
using passes::VolumeFilter;
using testing_gpu::OpacityVolume;
using testing_gpu::Running;
using testing_gpu::texel_of;
using testing_gpu::worst_texel;

/// What comes through cells along x, y and z, level by level.
class ThroughReference {
  public:
    explicit ThroughReference(const OpacityVolume& volume) {
        Level first{.dims = volume.dims, .through = {}};
        volume.each([&](glm::ivec3 v) { first.through.emplace_back(1.0 - volume.at(v)); });
        levels_.push_back(first);
        while (levels_.back().dims != glm::ivec3(1) || levels_.size() < 2)
            levels_.push_back(halved(levels_.back()));
    }

    /// Opacity between the middles of cells; `place` in voxels.
    glm::dvec3 opacity(glm::dvec3 place, std::size_t level) const {
        const glm::dvec3 there = (place + 0.5) / std::exp2(static_cast<double>(level)) - 0.5;
        const glm::dvec3 low = glm::floor(there);
        glm::dvec3 sum(0.0);
        for (int i = 0; i < 8; ++i) {
            const glm::dvec3 corner(i & 1, i >> 1 & 1, i >> 2);
            const glm::dvec3 part = glm::mix(1.0 - (there - low), there - low, corner);
            sum += part.x * part.y * part.z * (1.0 - levels_[level].at(glm::ivec3(low + corner)));
        }
        return sum;
    }
    std::size_t count() const { return levels_.size() - 1; }

  private:
    struct Level {
        glm::ivec3 dims;
        std::vector<glm::dvec3> through;
        glm::dvec3 at(glm::ivec3 cell) const {
            if (glm::clamp(cell, glm::ivec3(0), dims - 1) != cell) return glm::dvec3(1.0);
            return through[static_cast<std::size_t>((cell.z * dims.y + cell.y) * dims.x + cell.x)];
        }
    };
    static Level halved(const Level& below) {
        Level next{.dims = (below.dims + 1) / 2, .through = {}};
        OpacityVolume{.dims = next.dims, .numbers = {}}.each([&](glm::ivec3 cell) {
            glm::dvec3 through(0.0);
            for (int axis = 0; axis < 3; ++axis)
                for (int way = 0; way < 4; ++way) {
                    glm::ivec3 a = 2 * cell;
                    a[(axis + 1) % 3] += way & 1;
                    a[(axis + 2) % 3] += way >> 1;
                    glm::ivec3 b = a;
                    ++b[axis];
                    through[axis] += 0.25 * below.at(a)[axis] * below.at(b)[axis];
                }
            next.through.push_back(through);
        });
        return next;
    }
    std::vector<Level> levels_;
};

glm::dvec3 normal_of(const OpacityVolume& numbers, glm::ivec3 voxel) {
    glm::dvec3 normal(0.0);
    for (int axis = 0; axis < 3; ++axis) {
        glm::ivec3 ahead(0);
        ahead[axis] = 1;
        normal[axis] = 0.5 * (numbers.beyond(voxel - ahead, passes::OcclusionBorder::open) -
                              numbers.beyond(voxel + ahead, passes::OcclusionBorder::open));
    }
    const double length = glm::length(normal);
    return length > 1e-4 ? normal / length : glm::dvec3(0.0);
}

double weight_of(glm::dvec3 direction, glm::dvec3 normal, double spread, OcclusionCover cover) {
    if (cover == OcclusionCover::sphere || normal == glm::dvec3(0.0)) return 1.0;
    const double cosine = glm::dot(direction, normal);
    if (cover == OcclusionCover::cosine) return std::max(cosine, 0.0);
    const double sine = spread / std::sqrt(1.0 + spread * spread);
    return std::clamp(0.5 + 0.5 * cosine / sine, 0.0, 1.0);
}

double open_by_cones(const ThroughReference& levels, const OpacityVolume& numbers, glm::dvec3 place,
                     const OcclusionConeTrace& pass) {
    const double spread = std::array{0.9, 0.5, 0.35}[static_cast<std::size_t>(pass.cones)];
    const glm::ivec3 voxel =
        glm::clamp(glm::ivec3(glm::floor(place + 0.5)), glm::ivec3(0), numbers.dims - 1);
    const glm::dvec3 normal = normal_of(numbers, voxel);
    double sum = 0.0;
    double weights = 0.0;
    for (int i = 0; i < 27; ++i) {
        const glm::ivec3 towards(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        const int axes = std::abs(towards.x) + std::abs(towards.y) + std::abs(towards.z);
        if (axes == 0 || (axes == 3 && pass.cones == OcclusionCones::faces) ||
            (axes == 2 && pass.cones != OcclusionCones::all))
            continue;
        const glm::dvec3 direction = glm::normalize(glm::dvec3(towards));
        double through = 1.0;
        double begin = 0.5 * std::sqrt(axes);
        while (begin < std::min(static_cast<double>(pass.reach), 200.0)) {
            const double width = std::max(2.0 * spread * begin, 1.0);
            const double level =
                std::min(std::round(std::log2(width)), static_cast<double>(levels.count()));
            const double edge = std::exp2(level);
            const double length = std::min(edge, static_cast<double>(pass.reach) - begin);
            const glm::dvec3 opacity = levels.opacity(place + (begin + 0.5 * length) * direction,
                                                      static_cast<std::size_t>(level));
            through *= std::pow(std::max(1.0 - glm::dot(opacity, direction * direction), 0.0),
                                length / edge);
            begin += length;
        }
        const double weight = weight_of(direction, normal, spread, pass.cover);
        sum += weight * through;
        weights += weight;
    }
    return std::pow(sum / weights, static_cast<double>(pass.strength));
}

class Cones : public testing_gpu::GpuTest {
  protected:
    HostImage open(const OpacityVolume& volume,
                   const std::function<void(OcclusionConeTrace&)>& set) {
        Graph g = graph();
        OcclusionConeTrace pass{.opacity = volume.image(g)};
        pass.precision = OcclusionPrecision::float32;
        set(pass);
        g.output("open", g.add(pass).result);
        return run(std::move(g)).image("open");
    }
};

// Levels are kept in floats of 16 bits, a 2048th of the opacity of each step; a cone ends where
// less than a thousandth comes through.
constexpr double kConeTolerance = 3e-3;

TEST_F(Cones, AreThoseOfTheDefinition) {
    struct Case {
        glm::ivec3 size;
        OcclusionCones cones = OcclusionCones::faces_corners;
        OcclusionCover cover = OcclusionCover::sphere;
        bool numbers = false;
        std::uint32_t stride = 1;
        float reach = 1e6f;
        float strength = 1.0f;
    };
    const Case cases[] = {
        {.size = {16, 16, 16}},
        {.size = {13, 21, 7}, .cones = OcclusionCones::faces},
        {.size = {9, 34, 10}, .cones = OcclusionCones::all, .strength = 0.5f},
        {.size = {1, 1, 1}},
        {.size = {1, 5, 1}, .cones = OcclusionCones::all},
        {.size = {12, 14, 9}, .cover = OcclusionCover::hemisphere},
        {.size = {11, 9, 12}, .cones = OcclusionCones::all, .cover = OcclusionCover::cosine},
        {.size = {8, 9, 7}, .cover = OcclusionCover::cosine, .numbers = true},
        {.size = {17, 12, 9}, .stride = 2},
        {.size = {17, 12, 11}, .cones = OcclusionCones::faces, .stride = 5},
        {.size = {15, 12, 9}, .reach = 4.3f},
        {.size = {7, 6, 9}, .reach = 0.0f}, // nothing is near: all is open
    };
    int number = 0;
    for (const Case& c : cases) {
        const OpacityVolume volume = OpacityVolume::noise(c.size, 41, 0.25);
        const OpacityVolume numbers = OpacityVolume::noise(c.size, 42);
        OcclusionConeTrace pass;
        pass.cones = c.cones;
        pass.cover = c.cover;
        pass.stride = c.stride;
        pass.reach = c.reach;
        pass.strength = c.strength;
        pass.filter = VolumeFilter::linear;
        pass.precision = OcclusionPrecision::float32;
        const ThroughReference levels(volume);
        Graph g = graph();
        pass.opacity = volume.image(g);
        if (c.numbers) pass.numbers = numbers.image(g, "numbers");
        g.output("open", g.add(pass).result);
        pass.filter = VolumeFilter::device;
        g.output("filtered", g.add(pass).result);
        Running running = run(std::move(g));
        const HostImage image = running.image("open");
        const glm::ivec3 dims = (c.size - 1) / static_cast<int>(c.stride) + 1;
        ASSERT_EQ(image.extent.width, static_cast<std::uint32_t>(dims.x));
        const glm::dvec3 spacing = glm::dvec3(c.size) / glm::dvec3(dims);
        EXPECT_LE(
            worst_texel(image,
                        [&](glm::ivec3 texel) {
                            const glm::dvec3 place = (glm::dvec3(texel) + 0.5) * spacing - 0.5;
                            return open_by_cones(levels, c.numbers ? numbers : volume, place, pass);
                        }),
            kConeTolerance)
            << "case " << number;
        // Weights of 8 bits: a 256th of what differs from cell to cell, some of which even out.
        EXPECT_LE(worst_texel(running.image("filtered"),
                              [&](glm::ivec3 texel) { return texel_of(image, texel); }),
                  5e-3)
            << "case " << number;
        ++number;
    }
}

TEST_F(Cones, AreExactWhereNothingIsAndWhereAllIsSolid) {
    for (const VolumeFilter filter : {VolumeFilter::linear, VolumeFilter::device})
        for (const double opacity : {0.0, 1.0}) {
            const HostImage image =
                open(OpacityVolume::of({13, 12, 11}, [&](glm::ivec3) { return opacity; }),
                     [&](OcclusionConeTrace& pass) { pass.filter = filter; });
            // Weights of eight cells add up to 1 but for a rounding.
            EXPECT_NEAR(texel_of(image, {6, 6, 5}), 1.0 - opacity, 1e-6);
            EXPECT_NEAR(texel_of(image, {5, 5, 6}), 1.0 - opacity, 1e-6);
            EXPECT_GE(texel_of(image, {0, 11, 0}), 1.0 - opacity);
        }
}

TEST_F(Cones, OfAMirroredVolumeAreMirrored) {
    const glm::ivec3 size(16);
    const OpacityVolume volume = OpacityVolume::noise(size, 43, 0.4);
    const auto set = [](OcclusionConeTrace& pass) { pass.filter = VolumeFilter::linear; };
    const HostImage straight = open(volume, set);
    for (int axis = 0; axis < 3; ++axis) {
        const auto mirrored = [&](glm::ivec3 voxel) {
            voxel[axis] = size[axis] - 1 - voxel[axis];
            return voxel;
        };
        const HostImage image = open(
            OpacityVolume::of(size, [&](glm::ivec3 v) { return volume.at(mirrored(v)); }), set);
        EXPECT_LE(worst_texel(image, [&](glm::ivec3 v) { return texel_of(straight, mirrored(v)); }),
                  1e-5)
            << axis;
    }
}

// A wall darkens the half that it fills, unlike the shells of cubes, which leave 0.03.
TEST_F(Cones, BeforeAWallLeaveAHalf) {
    const OpacityVolume wall =
        OpacityVolume::of({40, 40, 40}, [](glm::ivec3 v) { return v.z < 20 ? 1.0 : 0.0; });
    for (const auto& [cones, tolerance] :
         {std::pair{OcclusionCones::faces, 0.1}, std::pair{OcclusionCones::faces_corners, 0.15},
          std::pair{OcclusionCones::all, 0.15}}) {
        const auto set = [&](OcclusionConeTrace& pass) { pass.cones = cones; };
        EXPECT_NEAR(texel_of(open(wall, set), {20, 20, 20}), 0.5, 0.2);
        const auto along = [&](OcclusionConeTrace& pass) {
            pass.cones = cones;
            pass.cover = OcclusionCover::cosine;
        };
        EXPECT_NEAR(texel_of(open(wall, along), {20, 20, 20}), 1.0, tolerance);
    }
}

TEST_F(Cones, LeaveOutPlacesThatNothingIsNear) {
    const OpacityVolume volume = OpacityVolume::of({24, 21, 22}, [](glm::ivec3 v) {
        return v.x > 14 && v.x < 18 && v.y > 9 && v.z > 4 ? 0.5 : 0.0;
    });
    const HostImage all = open(volume, [](OcclusionConeTrace&) {});
    for (const VolumeFilter filter : {VolumeFilter::linear, VolumeFilter::device}) {
        const HostImage some = open(volume, [&](OcclusionConeTrace& pass) {
            pass.skip = true;
            pass.filter = filter;
        });
        std::size_t left_out = 0;
        volume.each([&](glm::ivec3 v) {
            bool near = false;
            for (int i = 0; i < 27; ++i)
                near |= volume.beyond(v + glm::ivec3(i % 3, i / 3 % 3, i / 9) - 1,
                                      passes::OcclusionBorder::open) > 0.0;
            const double found = texel_of(some, v);
            if (near) {
                EXPECT_NEAR(found, texel_of(all, v), 5e-3);
            } else if (found == 1.0 && texel_of(all, v) < 1.0) {
                ++left_out;
            }
        });
        EXPECT_GT(left_out, 1000u);
    }
}

// In surroundings of one colour the light is what comes through and that colour of what does not.
TEST_F(Cones, GatherTheColorsOfWhatIsInTheWay) {
    const OpacityVolume volume = OpacityVolume::noise({14, 13, 18}, 44, 0.3);
    Graph g = graph();
    const Image source = volume.image(g, "source");
    const std::vector<float> transfer{0.0f, 0.9f, 0.5f, 0.1f, 0.0f, 1.0f, 0.9f, 0.5f, 0.1f, 1.0f};
    OcclusionColors colors{.source = source, .transfer = transfer};
    OcclusionConeTrace pass{.opacity = source, .colors = g.add(colors).result};
    pass.bounce = 0.75f;
    pass.filter = VolumeFilter::device;
    g.output("filtered", g.add(pass).result);
    pass.filter = VolumeFilter::linear;
    g.output("light", g.add(pass).result);
    OcclusionConeTrace plain{.opacity = source};
    plain.filter = VolumeFilter::linear;
    plain.precision = OcclusionPrecision::float32;
    g.output("open", g.add(plain).result);
    g.output("colors", pass.colors);
    Running running = run(std::move(g));
    const HostImage light = running.image("light");
    const HostImage filtered = running.image("filtered");
    const HostImage open = running.image("open");
    const HostImage premultiplied = running.image("colors");
    volume.each([&](glm::ivec3 v) {
        const glm::uvec3 at(v);
        const double through = texel_of(open, v);
        const std::array<float, 4> found = light.texel(at.x, at.y, at.z);
        const std::array<double, 3> color{0.9, 0.5, 0.1};
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_NEAR(static_cast<double>(found[i]), through + 0.75 * color[i] * (1.0 - through),
                        3e-3);
            EXPECT_NEAR(filtered.texel(at.x, at.y, at.z)[i], found[i], 6e-3f);
            EXPECT_NEAR(static_cast<double>(premultiplied.texel(at.x, at.y, at.z)[i]),
                        color[i] * volume.at(v), 2e-4);
        }
        EXPECT_NEAR(static_cast<double>(found[3]), through, 1e-3);
    });
}

// A red wall tints the side that it is on.
TEST_F(Cones, BleedFromWhereTheColorIs) {
    const OpacityVolume volume = OpacityVolume::of({24, 12, 12}, [](glm::ivec3 v) {
        return v.x < 3 ? 0.25 : v.x > 20 ? 0.75 : 0.0;
    });
    Graph g = graph();
    const Image source = volume.image(g, "source");
    OcclusionColors colors{.source = source};
    colors.transfer = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.25f, 1.0f, 0.0f, 0.0f, 1.0f,
                       0.5f, 1.0f, 0.0f, 0.0f, 1.0f, 0.5f,  0.0f, 0.0f, 1.0f, 1.0f};
    OcclusionConeTrace pass{.opacity = source, .colors = g.add(colors).result};
    g.output("light", g.add(pass).result);
    const HostImage light = run(std::move(g)).image("light");
    const auto near_red = light.texel(4, 6, 6);
    const auto near_blue = light.texel(19, 6, 6);
    EXPECT_GT(near_red[0], near_red[2] + 0.1f);
    EXPECT_GT(near_blue[2], near_blue[0] + 0.1f);
}

// NaN voxels and what is beyond 0 to 1 count as the nearest opacity.
TEST_F(Cones, TakeWhatIsNoOpacityForTheNearest) {
    OpacityVolume volume = OpacityVolume::noise({8, 9, 8}, 45, 0.3);
    OpacityVolume mended = volume;
    volume.numbers[100] = std::numeric_limits<float>::quiet_NaN();
    mended.numbers[100] = 0.0f;
    volume.numbers[200] = 7.0f;
    mended.numbers[200] = 1.0f;
    volume.numbers[300] = -std::numeric_limits<float>::infinity();
    mended.numbers[300] = 0.0f;
    const auto set = [](OcclusionConeTrace& pass) { pass.filter = VolumeFilter::linear; };
    const HostImage expected = open(mended, set);
    EXPECT_EQ(worst_texel(open(volume, set), [&](glm::ivec3 v) { return texel_of(expected, v); }),
              0.0);
}

} // namespace
} // namespace tuff
