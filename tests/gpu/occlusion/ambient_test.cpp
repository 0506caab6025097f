#include "passes/occlusion/ambient.hpp"
#include "tests/gpu/occlusion/occlusion_test.hpp"

#include <array>
#include <numeric>

/// Shells of cubes: the closed forms, and the definition in double precision.
namespace tuff {
namespace {

using passes::OcclusionAmbient;
using passes::OcclusionBorder;
using passes::OcclusionMethod;
using passes::OcclusionPrecision;
using testing_gpu::AmbientReference;
using testing_gpu::BoxSums;
using testing_gpu::exact_ambient;
using testing_gpu::OpacityVolume;
using testing_gpu::Running;
using testing_gpu::texel_of;
using testing_gpu::worst_texel;

class Ambient : public testing_gpu::GpuTest {
  protected:
    /// The pass on a volume, with parameters that `set` sets.
    HostImage open(const OpacityVolume& volume, const std::function<void(OcclusionAmbient&)>& set) {
        Graph g = graph();
        OcclusionAmbient pass = exact_ambient(volume.image(g));
        set(pass);
        g.output("open", g.add(pass).result);
        return run(std::move(g)).image("open");
    }
};

constexpr std::array kMethods{OcclusionMethod::n_buffer, OcclusionMethod::mip,
                              OcclusionMethod::hybrid};

TEST_F(Ambient, IsThatOfTheDefinition) {
    struct Case {
        glm::ivec3 size;
        std::uint32_t shells = 6;
        OcclusionMethod method = OcclusionMethod::n_buffer;
        std::uint32_t mips = 0;
        OcclusionBorder border = OcclusionBorder::open;
        bool normals = false;
        float normal = 1.0f;
        bool numbers = false;
        bool own = false;
        float strength = 1.0f;
        float growth = 1.0f;
        std::uint32_t budget = 0; // MiB; 8 are enough for two of the levels and not for all
    };
    const OcclusionMethod mip = OcclusionMethod::mip;
    const OcclusionMethod hybrid = OcclusionMethod::hybrid;
    const OcclusionBorder clamp = OcclusionBorder::clamp;
    const Case cases[] = {
        {.size = {16, 16, 16}},
        {.size = {13, 21, 7}, .shells = 3},
        {.size = {1, 5, 1}},
        {.size = {3, 1, 2}, .own = true},
        {.size = {1, 1, 1}, .own = true},
        {.size = {20, 9, 14}, .border = clamp},
        {.size = {20, 9, 14}, .normals = true, .normal = 1.3f},
        {.size = {11, 9, 17}, .border = clamp, .normals = true, .normal = 5.0f, .own = true},
        {.size = {12, 10, 9}, .normals = true, .normal = -2.0f, .numbers = true},
        {.size = {17, 12, 9}, .own = true, .strength = 0.6f},
        {.size = {14, 11, 9}, .growth = 1.4f},
        {.size = {70, 41, 33}, .growth = 1.3f, .budget = 8},
        {.size = {70, 41, 33}, .border = clamp, .normals = true, .own = true, .budget = 8},
        {.size = {18, 13, 22}, .method = mip, .mips = 11},
        {.size = {16, 9, 18}, .method = mip, .mips = 11, .normals = true},
        {.size = {18, 23, 9}, .method = hybrid, .mips = 2},
        {.size = {19, 12, 8}, .method = hybrid, .mips = 1, .normals = true, .normal = 2.0f},
    };
    int number = 0;
    for (const Case& c : cases) {
        const OpacityVolume volume = OpacityVolume::noise(c.size, 7, 0.4);
        const OpacityVolume numbers = OpacityVolume::noise(c.size, 8);
        OcclusionAmbient pass = exact_ambient({});
        pass.shells = c.shells;
        pass.method = c.method;
        pass.mips = c.mips;
        pass.border = c.border;
        pass.normals = c.normals;
        pass.normal = c.normal;
        pass.own = c.own;
        pass.strength = c.strength;
        pass.growth = c.growth;
        pass.budget = c.budget;
        const AmbientReference reference(volume, pass, c.mips, c.numbers ? &numbers : nullptr);
        Graph g = graph();
        pass.opacity = volume.image(g);
        if (c.numbers) pass.numbers = numbers.image(g, "numbers");
        g.output("open", g.add(pass).result);
        const HostImage image = run(std::move(g)).image("open");
        // The first shell is 8/7 of a mean less 1/7 of a number, and places are rounded to 1e-6.
        EXPECT_LE(worst_texel(image, [&](glm::ivec3 voxel) { return reference.at(voxel); }), 1e-5)
            << "case " << number;
        ++number;
    }
}

TEST_F(Ambient, OfEvenOpacityIsAPowerOfWhatComesThrough) {
    for (const float opacity : {0.01f, 0.1f}) {
        const double expected = std::pow(1.0 - static_cast<double>(opacity), 6.0);
        EXPECT_NEAR(expected, opacity < 0.05f ? 0.94148 : 0.53144, 1e-5);
        const auto even = [&](glm::ivec3) { return static_cast<double>(opacity); };
        for (const OcclusionMethod method : kMethods) {
            // Nothing is beyond a volume that goes on as its edge is.
            const HostImage all = open(OpacityVolume::of({64, 3, 5}, even), [&](auto& pass) {
                pass.border = OcclusionBorder::clamp;
                pass.method = method;
            });
            EXPECT_LE(worst_texel(all, [&](glm::ivec3) { return expected; }), 1e-5);
        }
        if (opacity < 0.05f) continue;
        // The cubes of the middle voxel lie within.
        const HostImage open_border =
            open(OpacityVolume::of({67, 67, 67}, even), [](OcclusionAmbient&) {});
        EXPECT_NEAR(texel_of(open_border, glm::ivec3(33)), expected, 1e-5);
    }
}

TEST_F(Ambient, IsExactWhereNothingIsAndWhereAllIsSolid) {
    for (const OcclusionMethod method : kMethods)
        for (const OcclusionPrecision precision :
             {OcclusionPrecision::unorm8, OcclusionPrecision::unorm16, OcclusionPrecision::float16,
              OcclusionPrecision::float32})
            for (const double opacity : {0.0, 1.0}) {
                const HostImage image =
                    open(OpacityVolume::of({9, 8, 11}, [&](glm::ivec3) { return opacity; }),
                         [&](OcclusionAmbient& pass) {
                             pass.method = method;
                             pass.precision = precision;
                             pass.border = OcclusionBorder::clamp;
                             pass.normals = true;
                         });
                EXPECT_EQ(worst_texel(image, [&](glm::ivec3) { return 1.0 - opacity; }), 0.0)
                    << static_cast<int>(method) << " " << static_cast<int>(precision);
            }
}

TEST_F(Ambient, OfASingleVoxelIsThatOfTheShellsThatHaveIt) {
    const glm::ivec3 middle(16);
    const HostImage image =
        open(OpacityVolume::of({33, 33, 33}, [&](glm::ivec3 v) { return v == middle ? 1.0 : 0.0; }),
             [](OcclusionAmbient& pass) { pass.shells = 4; });
    // Of a cube of even width, symmetric about a voxel, the outermost voxels are half inside.
    const auto share = [](int offset, int width) {
        const int reach = width / 2;
        if (width == 1) return offset == 0 ? 1.0 : 0.0;
        return std::abs(offset) < reach ? 1.0 : std::abs(offset) == reach ? 0.5 : 0.0;
    };
    EXPECT_LE(worst_texel(image,
                          [&](glm::ivec3 voxel) {
                              const glm::ivec3 offset = voxel - middle;
                              double open = 1.0;
                              double inner = 0.0;
                              for (int width = 1; width <= 16; width *= 2) {
                                  const double inside = share(offset.x, width) *
                                                        share(offset.y, width) *
                                                        share(offset.z, width);
                                  const double voxels = 7.0 / 8.0 * width * width * width;
                                  if (width > 1) open *= 1.0 - (inside - inner) / voxels;
                                  inner = inside;
                              }
                              return open;
                          }),
              1e-6);
    EXPECT_EQ(texel_of(image, middle), 1.0);                 // itself does not count
    EXPECT_EQ(texel_of(image, middle + glm::ivec3(9)), 1.0); // no cube reaches so far
    EXPECT_NEAR(texel_of(image, middle + glm::ivec3(1, 0, 0)),
                (1.0 - 0.5 / 7.0) * (1.0 - 0.5 / 56.0), 1e-6);
}

constexpr int kFirstOpen = 65;

/// Solid below a plane that is half a voxel below the middle of voxel `kFirstOpen`.
OpacityVolume wall_below() {
    return OpacityVolume::of({2, 2, 132}, [](glm::ivec3 v) { return v.z < kFirstOpen; });
}

TEST_F(Ambient, BeforeAWallIsLessThanAHalf) {
    const OpacityVolume wall = wall_below();
    const HostImage image = open(wall, [](OcclusionAmbient& pass) {
        pass.border = OcclusionBorder::clamp; // the wall has no end
    });
    // Of a cube of width w, at a distance of d voxels from the wall to the voxel's middle, the part
    // of (w - 2 d) / (2 w) is behind.
    const auto expected = [](double distance) {
        double open = 1.0;
        double inner = 0.0;
        for (double width = 2.0; width <= 64.0; width *= 2.0) {
            double outer = 0.0; // voxels beside, the outermost one by a half
            for (int i = 1; i <= static_cast<int>(width) / 2; ++i)
                if (i > distance) outer += (2 * i == static_cast<int>(width) ? 0.5 : 1.0) / width;
            open *= 1.0 - (8.0 * outer - inner) / 7.0;
            inner = outer;
        }
        return open;
    };
    EXPECT_NEAR(expected(0.5), 0.0329, 5e-5);
    EXPECT_NEAR(expected(4.5), 0.2607, 5e-5);
    EXPECT_NEAR(texel_of(image, {0, 1, kFirstOpen}), expected(0.5), 1e-5);
    EXPECT_NEAR(texel_of(image, {1, 0, kFirstOpen + 4}), expected(4.5), 1e-5);
    const HostImage one = open(wall, [](OcclusionAmbient& pass) {
        pass.border = OcclusionBorder::clamp;
        pass.shells = 1;
    });
    EXPECT_NEAR(texel_of(one, {0, 0, kFirstOpen}), 1.0 - 2.0 / 7.0, 1e-6);
    const HostImage two = open(wall, [](OcclusionAmbient& pass) {
        pass.border = OcclusionBorder::clamp;
        pass.shells = 2;
    });
    EXPECT_NEAR(texel_of(two, {0, 0, kFirstOpen}), (1.0 - 2.0 / 7.0) * (1.0 - 11.0 / 28.0), 1e-6);
}

TEST_F(Ambient, BeforeAWallIsOpenAlongTheNormal) {
    const OpacityVolume wall = wall_below();
    for (const OcclusionPrecision precision :
         {OcclusionPrecision::unorm16, OcclusionPrecision::float32}) {
        const HostImage image = open(wall, [&](OcclusionAmbient& pass) {
            pass.border = OcclusionBorder::clamp;
            pass.precision = precision;
            pass.normals = true;
            pass.normal = 2.0f; // the gradient is a half
        });
        EXPECT_NEAR(texel_of(image, {0, 0, kFirstOpen}), 1.0, 1.0 / 65535.0);
    }
}

TEST_F(Ambient, OfAMirroredVolumeIsMirrored) {
    for (const OcclusionMethod method : {OcclusionMethod::n_buffer, OcclusionMethod::mip})
        for (const bool normals : {false, true}) {
            // Mips end alike at both ends only where all sides are one power of two.
            const glm::ivec3 size =
                method == OcclusionMethod::mip ? glm::ivec3(16) : glm::ivec3(21, 18, 15);
            const OpacityVolume volume = OpacityVolume::noise(size, 11, 0.5);
            const auto set = [&](OcclusionAmbient& pass) {
                pass.method = method;
                pass.normals = normals;
            };
            const HostImage straight = open(volume, set);
            for (int axis = 0; axis < 3; ++axis) {
                const auto mirrored = [&](glm::ivec3 voxel) {
                    voxel[axis] = size[axis] - 1 - voxel[axis];
                    return voxel;
                };
                const HostImage image = open(
                    OpacityVolume::of(size, [&](glm::ivec3 v) { return volume.at(mirrored(v)); }),
                    set);
                EXPECT_LE(worst_texel(
                              image, [&](glm::ivec3 v) { return texel_of(straight, mirrored(v)); }),
                          1e-6)
                    << axis;
            }
        }
}

/// Noise that is moved along x.
OpacityVolume moved(glm::ivec3 size, int by) {
    const OpacityVolume all = OpacityVolume::noise({size.x + 8, size.y, size.z}, 12, 0.2);
    return OpacityVolume::of(size, [&](glm::ivec3 v) { return all.at({v.x + 8 - by, v.y, v.z}); });
}

// Check "smoothness": third differences at multiples of 2^l are as large as beside them, within 2
// %. The same contents are looked at from eight places of the grid, so that nothing but blocks
// differs.
TEST_F(Ambient, OfNBuffersHasNoBlocks) {
    const glm::ivec3 size(64, 12, 12);
    std::array<double, 2> uneven{};
    std::array<double, 2> greatest{};
    for (const OcclusionMethod method : {OcclusionMethod::n_buffer, OcclusionMethod::mip}) {
        std::array<double, 8> thirds{};
        HostImage first;
        for (int by = 0; by < 8; ++by) {
            const HostImage here = open(moved(size, by), [&](OcclusionAmbient& pass) {
                pass.method = method;
                pass.shells = 4;
            });
            if (by == 0) first = here;
            // Cubes of 16 voxels reach neither end.
            for (int z = 0; z < size.z; ++z)
                for (int y = 0; y < size.y; ++y)
                    for (int x = 12 + by; x < 44 + by; ++x) {
                        const double third =
                            texel_of(here, {x + 1, y, z}) - texel_of(here, {x - 2, y, z}) +
                            3.0 * (texel_of(here, {x - 1, y, z}) - texel_of(here, {x, y, z}));
                        thirds[static_cast<std::size_t>(x % 8)] += third * third;
                        double& moves = greatest[static_cast<std::size_t>(method)];
                        moves = std::max(moves, std::abs(texel_of(here, {x, y, z}) -
                                                         texel_of(first, {x - by, y, z})));
                    }
        }
        const double mean = std::accumulate(thirds.begin(), thirds.end(), 0.0) / 8.0;
        for (const double third : thirds) {
            double& worst = uneven[static_cast<std::size_t>(method)];
            worst = std::max(worst, std::abs(third / mean - 1.0));
        }
    }
    RecordProperty("uneven_n_buffer", std::to_string(uneven[0]));
    RecordProperty("uneven_mip", std::to_string(uneven[1]));
    EXPECT_LT(uneven[0], 0.02);
    // A volume that moves takes its result along, which no pattern of blocks does.
    EXPECT_LE(greatest[0], 1e-6);
    EXPECT_GT(greatest[1], 1e-3);
}

/// Of the cube of odd width about a voxel.
double odd_mean(const BoxSums& sums, glm::ivec3 voxel, int half_width) {
    return sums.mean(voxel - half_width, 2 * half_width + 1);
}

TEST_F(Ambient, OfSummedVolumesIsThatOfOddCubes) {
    for (const OcclusionBorder border : {OcclusionBorder::open, OcclusionBorder::clamp})
        for (const bool normals : {false, true})
            for (const glm::ivec3 size :
                 {glm::ivec3(70, 9, 11), glm::ivec3(13, 66, 3), glm::ivec3(5, 4, 67), glm::ivec3(1),
                  glm::ivec3(17, 16, 2)}) {
                const OpacityVolume volume = OpacityVolume::noise(size, 14, 0.3);
                OcclusionAmbient pass = exact_ambient({});
                pass.method = OcclusionMethod::summed;
                pass.border = border;
                pass.normals = normals;
                pass.normal = 2.5f;
                const AmbientReference cubes(volume, pass, 0, nullptr); // for its normals
                const int levels = std::min(
                    6, static_cast<int>(std::floor(std::log2(std::max({size.x, size.y, size.z})))));
                const BoxSums sums(volume, border, (1 << levels) + 1);
                const HostImage image = open(volume, [&](OcclusionAmbient& made) {
                    const Image opacity = made.opacity;
                    made = pass;
                    made.opacity = opacity;
                });
                const auto expected = [&](glm::ivec3 voxel) {
                    double open = 1.0;
                    double inner = volume.at(voxel);
                    double before = 1.0;
                    for (int level = 1; level <= levels; ++level) {
                        const int half_width = 1 << (level - 1);
                        const double width = 2.0 * half_width + 1.0;
                        const double ratio = std::pow(before / width, 3.0);
                        const glm::ivec3 by(glm::floor(
                            static_cast<double>(half_width) * cubes.shift_of(voxel) + 0.5));
                        const double outer = odd_mean(sums, voxel + by, half_width);
                        open *= 1.0 - std::clamp((outer - ratio * inner) / (1.0 - ratio), 0.0, 1.0);
                        inner = outer;
                        before = width;
                    }
                    return open;
                };
                // Opacities are rounded to a 15639th where cubes are 65 voxels wide; of places that
                // are rounded to whole voxels some may be rounded otherwise.
                std::size_t other = 0;
                volume.each([&](glm::ivec3 v) {
                    if (std::abs(texel_of(image, v) - expected(v)) > 1e-4) ++other;
                });
                EXPECT_LE(other, normals ? volume.numbers.size() / 500 : 0u) << size.x;
            }
}

TEST_F(Ambient, KeptInFewBitsIsOffByWhatRoundingMakes) {
    struct Bound {
        OcclusionPrecision precision;
        double greatest;
        double mean;
    };
    const OpacityVolume volume = OpacityVolume::noise({32, 32, 32}, 13, 0.3);
    const auto set = [](OcclusionPrecision precision) {
        return [precision](OcclusionAmbient& pass) {
            pass.precision = precision;
            pass.shells = 5;
        };
    };
    const HostImage exact = open(volume, set(OcclusionPrecision::float32));
    for (const Bound& bound : {Bound{OcclusionPrecision::unorm8, 1.2e-2, 4e-3},
                               Bound{OcclusionPrecision::unorm16, 5e-5, 2e-5},
                               Bound{OcclusionPrecision::float16, 5e-4, 1e-4}}) {
        const HostImage rounded = open(volume, set(bound.precision));
        double sum = 0.0;
        volume.each([&](glm::ivec3 v) { sum += texel_of(rounded, v) - texel_of(exact, v); });
        EXPECT_LE(worst_texel(rounded, [&](glm::ivec3 v) { return texel_of(exact, v); }),
                  bound.greatest);
        EXPECT_LE(std::abs(sum) / 32768.0, bound.mean); // cut off, it would be darker by 1.5e-2
    }
}

} // namespace
} // namespace tuff
