#include "passes/voxel/mip.hpp"
#include "passes/voxel/view.hpp"
#include "tests/gpu/voxel/voxel_test.hpp"

#include <tuff/camera.hpp>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/vec4.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>

/// Who reads voxels: pyramids and pictures.
namespace tuff {
namespace {

using passes::VoxelCombine;
using passes::VoxelGrid;
using passes::VoxelMip;
using passes::VoxelPyramid;
using passes::VoxelView;
using testing_gpu::Running;
using testing_gpu::Voxels;

Voxels random_voxels(glm::uvec3 dims, std::uint32_t of_16, std::uint32_t seed) {
    std::mt19937 random(seed);
    Voxels voxels(dims);
    for (std::uint32_t x = 0; x < dims.x; ++x)
        for (std::uint32_t y = 0; y < dims.y; ++y)
            for (std::uint32_t z = 0; z < dims.z; ++z)
                if (random() % 16 < of_16) voxels.set(x, y, z);
    return voxels;
}

class VoxelReaders : public testing_gpu::VoxelTest {
  protected:
    static VoxelGrid grid(Graph& g, const Voxels& voxels, const std::string& name) {
        const auto constant = [&](const std::string& part, const auto& values) {
            const auto bytes = testing_gpu::bytes_of(values);
            return g.constant_buffer(name + "." + part, {.size = bytes->size(), .stride = 4},
                                     bytes);
        };
        return {.words = constant("words", voxels.words),
                .frame = constant("frame", std::vector<float>(12, 1.0f)),
                .status =
                    constant("status", std::vector<std::uint32_t>(passes::kVoxelStatusWords, 0u)),
                .dims = voxels.dims};
    }
};

Voxels halved(const Voxels& fine, VoxelCombine combine) {
    Voxels result((fine.dims + 1u) / 2u);
    for (std::uint32_t x = 0; x < result.dims.x; ++x)
        for (std::uint32_t y = 0; y < result.dims.y; ++y)
            for (std::uint32_t z = 0; z < result.dims.z; ++z) {
                int set = 0;
                for (std::uint32_t i = 0; i < 8; ++i)
                    set += fine.at(2 * x + (i & 1), 2 * y + (i >> 1 & 1), 2 * z + (i >> 2));
                if (combine == VoxelCombine::any ? set > 0 : set == 8) result.set(x, y, z);
            }
    return result;
}

TEST_F(VoxelReaders, LevelsOfAPyramidAreMadeOfEightVoxels) {
    struct One {
        Voxels voxels;
        VoxelCombine combine;
    };
    std::vector<One> all;
    for (const glm::uvec3 dims :
         {glm::uvec3(33, 20, 70), glm::uvec3(1, 1, 64), glm::uvec3(16, 16, 128), glm::uvec3(1)})
        for (const VoxelCombine combine : {VoxelCombine::any, VoxelCombine::all})
            all.push_back(
                {random_voxels(dims, combine == VoxelCombine::any ? 2 : 14, dims.x), combine});
    Graph g = graph();
    std::vector<VoxelPyramid> pyramids;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string name = "grid " + std::to_string(i);
        pyramids.push_back(
            g.add(VoxelMip{.source = grid(g, all[i].voxels, name), .combine = all[i].combine}, name)
                .pyramid);
        for (std::size_t level = 1; level < pyramids[i].levels.size(); ++level)
            g.output(name + "." + std::to_string(level), pyramids[i].levels[level]);
    }
    EXPECT_EQ(pyramids[0].levels.size(), 8u);
    EXPECT_EQ(pyramids.back().levels.size(), 1u);
    Running running = run(std::move(g), 2);
    if (!running) return;
    for (std::size_t i = 0; i < all.size(); ++i) {
        Voxels wanted = all[i].voxels;
        for (std::size_t level = 1; level < pyramids[i].levels.size(); ++level) {
            wanted = halved(wanted, all[i].combine);
            ASSERT_EQ(pyramids[i].dims[level], wanted.dims);
            const Voxels got(wanted.dims,
                             running.buffer<std::uint32_t>("grid " + std::to_string(i) + "." +
                                                           std::to_string(level)));
            EXPECT_EQ(difference(got, wanted), "") << i << ", level " << level;
        }
    }
}

/// Distance at which a ray first enters a set voxel of the box, or -1; by trying all of them.
double first_hit(const Voxels& voxels, glm::dvec3 origin, glm::dvec3 direction, glm::uvec3 low,
                 glm::uvec3 high) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::uint32_t x = low.x; x < high.x; ++x)
        for (std::uint32_t y = low.y; y < high.y; ++y)
            for (std::uint32_t z = low.z; z < high.z; ++z) {
                if (!voxels.at(x, y, z)) continue;
                const glm::dvec3 corner(x, y, z);
                double enter = 0.0;
                double leave = nearest;
                for (int axis = 0; axis < 3; ++axis) {
                    const double a = (corner[axis] - origin[axis]) / direction[axis];
                    const double b = (corner[axis] + 1.0 - origin[axis]) / direction[axis];
                    enter = std::max(enter, std::min(a, b));
                    leave = std::min(leave, std::max(a, b));
                }
                if (enter < leave) nearest = enter;
            }
    return std::isinf(nearest) ? -1.0 : nearest;
}

TEST_F(VoxelReaders, PicturesShowTheNearestVoxel) {
    const glm::uvec3 dims(14, 11, 70);
    struct Shot {
        glm::vec3 position;
        glm::vec3 low{0.0f};
        glm::vec3 high{1.0f};
    };
    const Shot shots[] = {{{0.7f, 0.4f, 1.5f}},
                          {{-0.9f, -0.3f, -1.2f}},
                          {{0.02f, 0.01f, 0.03f}}, // inside
                          {{0.5f, 0.4f, 0.5f}, glm::vec3(0.0f), glm::vec3(1.0f, 1.0f, 0.5f)},
                          {{-0.6f, 0.6f, 0.1f}, glm::vec3(0.5f, 0.0f, 0.3f)}};
    const Voxels voxels = random_voxels(dims, 1, 5);
    constexpr std::uint32_t kWidth = 40;
    constexpr std::uint32_t kHeight = 30;
    Graph g = graph();
    const VoxelGrid source = grid(g, voxels, "grid");
    for (std::size_t i = 0; i < std::size(shots); ++i) {
        VoxelView view{.source = source, .width = kWidth, .height = kHeight};
        view.camera = {.mode = passes::CameraMode::free,
                       .position = shots[i].position,
                       .target = glm::vec3(-0.05f, 0.04f, -0.3f),
                       .vertical_fov = 50.0f};
        view.low = shots[i].low;
        view.high = shots[i].high;
        const VoxelView drawn = g.add(view, "view " + std::to_string(i));
        g.output("depth " + std::to_string(i), drawn.depth);
        g.output("result " + std::to_string(i), drawn.result);
    }
    Running running = run(std::move(g), 2);
    if (!running) return;
    const double scale = 35.0;
    const glm::dvec3 middle = glm::dvec3(dims) * 0.5;
    for (std::size_t i = 0; i < std::size(shots); ++i) {
        const HostImage depth = running.image("depth " + std::to_string(i));
        const HostImage result = running.image("result " + std::to_string(i));
        ASSERT_FALSE(depth.empty());
        Camera camera;
        camera.position = shots[i].position;
        camera.target = glm::vec3(-0.05f, 0.04f, -0.3f);
        camera.vertical_fov = 50.0f;
        const glm::dmat4 inverse =
            glm::inverse(glm::dmat4(camera.projection(4.0f / 3.0f)) * glm::dmat4(camera.view()));
        const glm::dvec3 origin = glm::dvec3(camera.position) * scale + middle;
        const glm::uvec3 low(glm::round(shots[i].low * glm::vec3(dims)));
        const glm::uvec3 high(glm::round(shots[i].high * glm::vec3(dims)));
        int hits = 0;
        int wrong = 0;
        for (std::uint32_t y = 0; y < kHeight; ++y)
            for (std::uint32_t x = 0; x < kWidth; ++x) {
                const glm::dvec4 far = inverse * glm::dvec4((x + 0.5) / kWidth * 2.0 - 1.0,
                                                            (y + 0.5) / kHeight * 2.0 - 1.0, 1, 1);
                const glm::dvec3 direction =
                    glm::normalize(glm::dvec3(far) / far.w - glm::dvec3(camera.position));
                const double wanted = first_hit(voxels, origin, direction, low, high);
                const double got = static_cast<double>(depth.texel(x, y)[0]);
                hits += wanted >= 0.0;
                // Rays along an edge may go by on either side.
                wrong += std::abs(got - wanted) > 1e-2;
                const std::array<float, 4> color = result.texel(x, y);
                ASSERT_TRUE(std::isfinite(color[0]) && color[0] > 0.0f);
            }
        EXPECT_GT(hits, 100) << "shot " << i;
        EXPECT_LE(wrong, 4) << "shot " << i << ": of " << hits;
    }
}

/// Half a voxel a world unit, away from the origin; with a picture behind some of it.
TEST_F(VoxelReaders, InTheWorldPicturesHaveItsDepthAndWhatIsBehind) {
    const glm::uvec3 dims(14, 11, 40);
    const Voxels voxels = random_voxels(dims, 1, 6);
    const glm::vec3 corner(-30.0f, 4.0f, 7.0f);
    constexpr float kPerUnit = 0.5f;
    constexpr std::uint32_t kWidth = 40;
    constexpr std::uint32_t kHeight = 30;
    constexpr float kOther = 0.985f; // depth of what is behind
    Graph g = graph();
    VoxelGrid source = grid(g, voxels, "grid");
    const std::vector<float> frame = {corner.x,     corner.y,     corner.z,     0,
                                      kPerUnit,     kPerUnit,     kPerUnit,     0,
                                      1 / kPerUnit, 1 / kPerUnit, 1 / kPerUnit, 0};
    source.frame =
        g.constant_buffer("frame", {.size = 48, .stride = 4}, testing_gpu::bytes_of(frame));
    VoxelView view{
        .source = source, .space = passes::VoxelSpace::world, .width = kWidth, .height = kHeight};
    Camera camera;
    camera.position = {20.0f, 30.0f, 20.0f};
    camera.target = {-16.0f, 14.0f, 40.0f};
    camera.vertical_fov = 50.0f;
    camera.near_plane = 1.0f;
    camera.far_plane = 150.0f;
    view.camera = {.mode = passes::CameraMode::free,
                   .position = camera.position,
                   .target = camera.target,
                   .vertical_fov = camera.vertical_fov,
                   .near_plane = camera.near_plane,
                   .far_plane = camera.far_plane};
    const VoxelView alone = g.add(view, "alone");
    const auto even = [&](const std::string& name, Format format, const std::vector<float>& texel) {
        std::vector<float> texels;
        for (std::uint32_t i = 0; i < kWidth * kHeight; ++i)
            texels.insert(texels.end(), texel.begin(), texel.end());
        return g.constant_image(name, {.format = format, .extent = {kWidth, kHeight, 1}},
                                testing_gpu::bytes_of(texels));
    };
    view.behind = even("behind", Format::rgba32_sfloat, {9, 8, 7, 1});
    view.behind_depth = even("behind_depth", Format::r32_sfloat, {kOther});
    const VoxelView both = g.add(view, "both");
    g.output("depth", alone.depth);
    g.output("both depth", both.depth);
    g.output("both", both.result);
    Running running = run(std::move(g), 2);
    if (!running) return;
    const HostImage depth = running.image("depth");
    const HostImage both_depth = running.image("both depth");
    const HostImage both_color = running.image("both");
    const glm::dmat4 clip_of =
        glm::dmat4(camera.projection(4.0f / 3.0f)) * glm::dmat4(camera.view());
    const glm::dmat4 inverse = glm::inverse(clip_of);
    int hits = 0, hidden = 0, wrong = 0;
    for (std::uint32_t y = 0; y < kHeight; ++y)
        for (std::uint32_t x = 0; x < kWidth; ++x) {
            const glm::dvec4 far = inverse * glm::dvec4((x + 0.5) / kWidth * 2.0 - 1.0,
                                                        (y + 0.5) / kHeight * 2.0 - 1.0, 1, 1);
            const glm::dvec3 eye(camera.position);
            const glm::dvec3 direction = glm::normalize(glm::dvec3(far) / far.w - eye);
            const double t = first_hit(voxels, (eye - glm::dvec3(corner)) * double{kPerUnit},
                                       direction, glm::uvec3(0), dims) /
                             kPerUnit;
            const glm::dvec4 place = clip_of * glm::dvec4(eye + t * direction, 1.0);
            const double wanted = t >= 0.0 ? place.z / place.w : 1.0;
            hits += t >= 0.0;
            wrong += std::abs(double{depth.texel(x, y)[0]} - wanted) > 1e-4;
            wrong += std::abs(double{both_depth.texel(x, y)[0]} -
                              std::min(wanted, double{kOther})) > 1e-4;
            if (std::abs(wanted - kOther) < 1e-3) continue;
            hidden += t >= 0.0 && wanted > kOther;
            wrong += (both_color.texel(x, y)[0] == 9.0f) != (wanted > kOther);
        }
    EXPECT_GT(hits, 100);
    EXPECT_GT(hidden, 20);
    EXPECT_GT(hits - hidden, 20);
    EXPECT_LE(wrong, 8) << "of " << hits; // rays along edges
}

} // namespace
} // namespace tuff
