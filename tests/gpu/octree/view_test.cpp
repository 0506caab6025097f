#include "passes/octree/cubes.hpp"
#include "passes/octree/extract.hpp"
#include "passes/octree/view.hpp"
#include "tests/gpu/octree/octree_test.hpp"

#include <tuff/camera.hpp>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec4.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

/// Lists and pictures of octrees, against computations in double precision.
namespace tuff {
namespace {

using passes::CameraMode;
using passes::CameraParameters;
using passes::DrawVoxels;
using passes::ExtractVoxels;
using passes::FuseOctree;
using passes::Octree;
using passes::OctreeMethod;
using passes::OctreePoint;
using passes::OctreeShape;
using passes::OctreeView;
using testing_gpu::HostBox;
using testing_gpu::HostKey;
using testing_gpu::HostNode;
using testing_gpu::HostNodes;
using testing_gpu::HostPoints;
using testing_gpu::ReadTree;
using testing_gpu::rgba;
using testing_gpu::Running;

/// A sphere before a wall, both in colours that change from place to place.
HostPoints sphere_and_wall(std::size_t count) {
    std::mt19937 random(11);
    std::normal_distribution<float> normal;
    std::uniform_real_distribution<float> unit(-0.95f, 0.95f);
    HostPoints points;
    const auto color = [](glm::vec3 p) {
        const glm::vec3 c = glm::clamp(0.5f + 0.5f * p, 0.0f, 1.0f) * 255.0f;
        return rgba(static_cast<std::uint32_t>(c.x), static_cast<std::uint32_t>(c.y),
                    static_cast<std::uint32_t>(c.z));
    };
    for (std::size_t i = 0; i < count; ++i) {
        glm::vec3 p(normal(random), normal(random), normal(random));
        p = 0.45f * glm::normalize(p) + glm::vec3(0.1f, -0.05f, 0.2f);
        points.push_back({p, color(p)});
        p = {unit(random), unit(random), -0.7f};
        points.push_back({p, color(p)});
    }
    return points;
}

CameraParameters beside() {
    return {.mode = CameraMode::free,
            .position = {1.31f, 0.74f, 2.12f},
            .target = {0.05f, -0.02f, -0.1f},
            .vertical_fov = 50.0f,
            .near_plane = 0.1f,
            .far_plane = 20.0f};
}

struct Ray {
    glm::dvec3 origin;
    glm::dvec3 direction; // of unit length
};

Ray ray_of(const CameraParameters& camera, Extent size, std::uint32_t x, std::uint32_t y) {
    const Camera view{.position = camera.position,
                      .target = camera.target,
                      .up = camera.up,
                      .vertical_fov = camera.vertical_fov,
                      .near_plane = camera.near_plane,
                      .far_plane = camera.far_plane};
    const glm::dmat3 axes = glm::transpose(glm::dmat3(view.view()));
    const double up = std::tan(0.5 * glm::radians(double{camera.vertical_fov}));
    const double aspect = double(size.width) / double(size.height);
    const double cx = (x + 0.5) / size.width * 2.0 - 1.0;
    const double cy = (y + 0.5) / size.height * 2.0 - 1.0;
    return {glm::dvec3(camera.position),
            glm::normalize(-axes[2] + cx * aspect * up * axes[0] - cy * up * axes[1])};
}

/// From `x` to `y`; empty where x > y.
glm::dvec2 within(const HostBox& box, const Ray& ray) {
    glm::dvec2 range(0.0, 1e30);
    for (int axis = 0; axis < 3; ++axis) {
        const double a = (box.low[axis] - ray.origin[axis]) / ray.direction[axis];
        const double b = (box.low[axis] + box.edge - ray.origin[axis]) / ray.direction[axis];
        range.x = std::max(range.x, std::min(a, b));
        range.y = std::min(range.y, std::max(a, b));
    }
    return range;
}

glm::dvec3 color_of(std::uint32_t value) {
    return glm::dvec3(value & 0xff, value >> 8 & 0xff, value >> 16 & 0xff) / 255.0;
}

/// The node at `level` where a point is, or the childless one above it; null outside the root.
struct Found {
    HostKey key = 0;
    const HostNode* node = nullptr;
};
Found node_at(const OctreeShape& shape, const HostNodes& nodes, glm::dvec3 point,
              std::uint32_t level) {
    const glm::dvec3 cells =
        (point - glm::dvec3(shape.center)) / double{shape.half} * 0.5 + 0.5; // 0 to 1
    HostKey key = 1;
    Found found;
    glm::dvec3 at = cells;
    for (int axis = 0; axis < 3; ++axis)
        if (!(at[axis] >= 0.0 && at[axis] < 1.0)) return {};
    for (std::uint32_t l = 1; l <= level; ++l) {
        key <<= 3;
        for (int axis = 0; axis < 3; ++axis) {
            at[axis] *= 2.0;
            if (at[axis] >= 1.0) {
                key |= HostKey{1} << axis;
                at[axis] -= 1.0;
            }
        }
        found = {key, &nodes.at(key)};
        if (!found.node->has_children) break;
    }
    return found;
}

std::uint32_t level_for(const OctreeShape& shape, double t, double across, double texels) {
    const double level = std::ceil(std::log2(2.0 * double{shape.half} * texels / (t * across)));
    return static_cast<std::uint32_t>(std::clamp(level, 1.0, double(shape.depth)));
}

/// What a cone sees, marched from node to node, or by samples as printed.
glm::dvec3 marched(const OctreeView& view, const OctreeShape& shape, const HostNodes& nodes,
                   const Ray& ray, double texels) {
    const bool printed = view.method == OctreeMethod::printed;
    const double angle = glm::radians(double{view.camera.vertical_fov});
    const double across = printed ? std::tan(angle) : 2.0 * std::tan(0.5 * angle);
    const glm::dvec2 inside = within(testing_gpu::box_of(shape, 1), ray);
    const double end = std::min(inside.y, double{view.max_length});
    glm::dvec3 color(0.0);
    double through = 1.0;
    for (double t = inside.x; t < end && through > 1e-4;) {
        const std::uint32_t level = level_for(shape, t, across, texels);
        const double edge = 2.0 * double{shape.half} / double(1u << level);
        const glm::dvec3 at = ray.origin + (t + 1e-9) * ray.direction;
        const Found found = node_at(shape, nodes, at, level);
        if (found.node == nullptr) break;
        const double alpha = found.node->value >> 24;
        double opacity = 0.0;
        double next = t + double{view.step} * edge;
        if (!printed) {
            const HostBox box = testing_gpu::box_of(shape, found.key);
            next = std::max(within(box, ray).y, t + 1e-9);
            const double solid =
                std::clamp((alpha - 127.0) / (view.opaque_alpha - 127.0), 0.0, 1.0);
            opacity = 1.0 - std::pow(1.0 - solid, (std::min(next, end) - t) / box.edge);
        } else if (alpha > 127.0) {
            opacity = alpha / 255.0;
        }
        color += through * opacity * color_of(found.node->value);
        through *= 1.0 - opacity;
        t = next;
    }
    return color + through * glm::dvec3(view.background);
}

class OctreePictures : public testing_gpu::OctreeTest {
  protected:
    static constexpr Extent kSize{64, 48, 1};

    /// A tree with a sphere and a wall, hit in some frames.
    Octree tree(Graph& g, std::uint32_t frames = 6, std::uint32_t depth = 5) {
        FuseOctree pass{.tree = {.depth = depth, .nodes = 1u << 15}};
        pass.counting = passes::OctreeCounting::frames;
        pass.hit = 9;
        pass.points = points(g, "points", sphere_and_wall(2500));
        Octree made;
        for (std::uint32_t i = 0; i < frames; ++i) {
            pass.before = made;
            made = g.add(pass, "fuse" + std::to_string(i)).octree;
        }
        return made;
    }
    static double rms(const HostImage& got,
                      const std::function<glm::dvec3(std::uint32_t, std::uint32_t)>& expected) {
        double sum = 0.0;
        for (std::uint32_t y = 0; y < kSize.height; ++y)
            for (std::uint32_t x = 0; x < kSize.width; ++x) {
                const std::array<float, 4> texel = got.texel(x, y);
                const glm::dvec3 difference =
                    glm::dvec3(texel[0], texel[1], texel[2]) - expected(x, y);
                sum += glm::dot(difference, difference) / 3.0;
            }
        return std::sqrt(sum / (kSize.width * kSize.height));
    }
};

TEST_F(OctreePictures, ListsHaveTheOccupiedNodesOfALevel) {
    Graph g = graph();
    const Octree made = tree(g, 2);
    output(g, "tree", made);
    for (std::uint32_t level = 0; level <= 5; ++level) {
        const std::string name = "level" + std::to_string(level);
        const bool ordered = level % 2 == 0;
        const auto voxels =
            g.add(ExtractVoxels{.octree = made, .level = level, .ordered = ordered}, name).voxels;
        g.output(name + ".places", voxels.places);
        g.output(name + ".colors", voxels.colors);
        g.output(name + ".draw", voxels.draw);
        g.output(name + ".status", voxels.status);
    }
    Running running = run(std::move(g));
    if (!running) return;
    const OctreeShape shape = made.shape;
    const ReadTree tree = read(running, "tree", shape);
    for (std::uint32_t level = 0; level <= 5; ++level) {
        const std::string name = "level" + std::to_string(level);
        const auto places = running.buffer<glm::vec4>(name + ".places");
        const auto colors = running.buffer<std::uint32_t>(name + ".colors");
        const auto draw = running.buffer<std::uint32_t>(name + ".draw");
        const auto status =
            passes::OctreeVoxelStatus::read(running.buffer<std::uint32_t>(name + ".status"));
        ASSERT_LE(status.found, status.room);
        EXPECT_EQ(draw,
                  (std::vector<std::uint32_t>{passes::kOctreeCubeVertices, status.found, 0, 0}));
        std::map<std::array<float, 4>, std::uint32_t> got;
        std::vector<HostKey> keys;
        for (std::uint32_t i = 0; i < status.found; ++i)
            keys.push_back(*testing_gpu::key_by_halves(shape, glm::vec3(places[i])));
        if (level % 2 == 0) {
            EXPECT_TRUE(std::ranges::is_sorted(keys)) << level;
        }
        for (std::uint32_t i = 0; i < status.found; ++i)
            got[{places[i].x, places[i].y, places[i].z, places[i].w}] = colors[i];
        const std::uint32_t deepest = level == 0 ? 5 : level;
        std::map<std::array<float, 4>, std::uint32_t> expected;
        for (const auto& [key, node] : tree.nodes) {
            const std::uint32_t own = testing_gpu::level_of(key);
            if (own > deepest || (own < deepest && node.has_children) || node.value >> 24 <= 127)
                continue;
            const HostBox box = testing_gpu::box_of(shape, key);
            const glm::vec3 middle(box.low + 0.5 * box.edge);
            expected[{middle.x, middle.y, middle.z, static_cast<float>(0.5 * box.edge)}] =
                node.value;
        }
        EXPECT_EQ(got, expected) << level;
        EXPECT_GT(expected.size(), level == 1 ? 4u : 16u);
    }
}

TEST_F(OctreePictures, ListsOfDeepTreesAreExactInMortonOrder) {
    for (const std::uint32_t depth : {11u, 15u, 21u}) {
        HostPoints given = sphere_and_wall(50);
        Graph g = graph();
        const OctreeShape shape{.depth = depth, .nodes = 1u << 15};
        const Octree made =
            g.add(FuseOctree{.points = points(g, "points", given), .tree = shape}).octree;
        const auto voxels = g.add(ExtractVoxels{.octree = made, .ordered = true}).voxels;
        g.output("places", voxels.places);
        g.output("status", voxels.status);
        Running running = run(std::move(g));
        if (!running) return;
        std::map<HostKey, bool> expected; // in order
        for (const OctreePoint& point : given)
            expected[*testing_gpu::key_by_halves(shape, point.position)] = true;
        const auto places = running.buffer<glm::vec4>("places");
        const auto status =
            passes::OctreeVoxelStatus::read(running.buffer<std::uint32_t>("status"));
        ASSERT_EQ(status.found, expected.size());
        std::size_t i = 0;
        for (const auto& [key, yes] : expected) {
            const HostBox box = testing_gpu::box_of(shape, key);
            const glm::vec3 middle(box.low + 0.5 * box.edge);
            EXPECT_EQ(glm::vec3(places[i]), middle) << depth << ", " << i;
            EXPECT_EQ(places[i++].w, static_cast<float>(0.5 * box.edge));
        }
    }
}

TEST_F(OctreePictures, MoreVoxelsThanRoomAreCounted) {
    Graph g = graph();
    const auto voxels = g.add(ExtractVoxels{.octree = tree(g, 1), .most_voxels = 100}).voxels;
    g.output("status", voxels.status);
    g.output("draw", voxels.draw);
    Running running = run(std::move(g));
    if (!running) return;
    const auto status = passes::OctreeVoxelStatus::read(running.buffer<std::uint32_t>("status"));
    EXPECT_GT(status.found, 100u);
    EXPECT_EQ(status.room, 100u);
    EXPECT_EQ(running.buffer<std::uint32_t>("draw")[1], 100u);
    ASSERT_EQ(status.warnings().size(), 1u);
    EXPECT_EQ(status.warnings()[0].code, "octree/lost-voxels");
    ASSERT_EQ(status.pool_needs().size(), 1u);
    EXPECT_EQ(status.pool_needs()[0].elements, status.found);
}

TEST_F(OctreePictures, ConesAreThoseOfAMarcherOnTheHost) {
    Graph g = graph();
    const Octree made = tree(g);
    output(g, "tree", made);
    std::vector<OctreeView> views;
    for (const OctreeMethod method : {OctreeMethod::cones, OctreeMethod::printed})
        for (const float away : {1.0f, 3.5f}) {
            OctreeView view{.octree = made,
                            .method = method,
                            .width = kSize.width,
                            .height = kSize.height,
                            .camera = beside(),
                            .opaque_alpha = 200,
                            .background = {0.1f, 0.2f, 0.3f, 1.0f}};
            view.camera.position *= away;
            view.max_length = away > 1.0f ? 9.0f : 10.0f;
            view.step = away > 1.0f ? 0.5f : 1.0f;
            views.push_back(view);
            const std::string name = "view" + std::to_string(views.size() - 1);
            g.output(name, g.add(view, name).result);
        }
    Running running = run(std::move(g));
    if (!running) return;
    const ReadTree tree = read(running, "tree", made.shape);
    for (std::size_t i = 0; i < views.size(); ++i) {
        const HostImage got = running.image("view" + std::to_string(i));
        ASSERT_FALSE(got.empty());
        double most = 0.0;
        const double error = rms(got, [&](std::uint32_t x, std::uint32_t y) {
            const glm::dvec3 seen = marched(views[i], made.shape, tree.nodes,
                                            ray_of(views[i].camera, kSize, x, y), kSize.height);
            most = std::max(most, glm::length(seen - glm::dvec3(views[i].background)));
            return seen;
        });
        // One hundredth; samples of the printed form fall on either side of faces here and there.
        EXPECT_LT(error, 0.01) << i;
        EXPECT_GT(most, 0.3);
    }
}

TEST_F(OctreePictures, RaysEndAtTheNearestVoxelOfEachLevel) {
    Graph g = graph();
    const Octree made = tree(g, 1);
    output(g, "tree", made);
    for (std::uint32_t level = 2; level <= 5; ++level) {
        const OctreeView view = g.add(OctreeView{.octree = made,
                                                 .method = OctreeMethod::rays,
                                                 .width = kSize.width,
                                                 .height = kSize.height,
                                                 .camera = beside(),
                                                 .level = level,
                                                 .lit = false},
                                      "view" + std::to_string(level));
        g.output("color" + std::to_string(level), view.result);
        g.output("depth" + std::to_string(level), view.depth);
    }
    Running running = run(std::move(g));
    if (!running) return;
    const ReadTree tree = read(running, "tree", made.shape);
    const CameraParameters camera = beside();
    for (std::uint32_t level = 2; level <= 5; ++level) {
        const HostImage color = running.image("color" + std::to_string(level));
        const HostImage depth = running.image("depth" + std::to_string(level));
        ASSERT_FALSE(color.empty());
        std::uint32_t hits = 0;
        std::uint32_t wrong = 0;
        for (std::uint32_t y = 0; y < kSize.height; ++y)
            for (std::uint32_t x = 0; x < kSize.width; ++x) {
                const Ray ray = ray_of(camera, kSize, x, y);
                double nearest = std::numeric_limits<double>::infinity();
                const HostNode* hit = nullptr;
                bool grazes = false;
                for (const auto& [key, node] : tree.nodes) {
                    if (node.value >> 24 <= 127) continue;
                    const std::uint32_t own = testing_gpu::level_of(key);
                    if (own > level || (own < level && node.has_children)) continue;
                    const HostBox box = testing_gpu::box_of(made.shape, key);
                    const glm::dvec2 range = within(box, ray);
                    grazes = grazes || std::abs(range.y - range.x) < 1e-4;
                    if (range.x < range.y && range.x < nearest) {
                        nearest = range.x;
                        hit = &node;
                    }
                }
                if (grazes) continue; // rounding decides
                hits += hit != nullptr;
                const float got = depth.texel(x, y)[0];
                if (hit == nullptr) {
                    wrong += got != 1.0f;
                    continue;
                }
                const glm::dvec3 forward =
                    glm::normalize(glm::dvec3(camera.target) - glm::dvec3(camera.position));
                const double z = nearest * glm::dot(ray.direction, forward);
                const double clip = 20.0 / (20.0 - 0.1) * (1.0 - 0.1 / z);
                const std::array<float, 4> texel = color.texel(x, y);
                const glm::dvec3 difference =
                    glm::dvec3(texel[0], texel[1], texel[2]) - color_of(hit->value);
                wrong += std::abs(double{got} - clip) > 1e-4 || glm::length(difference) > 2e-3;
            }
        EXPECT_EQ(wrong, 0u) << level;
        EXPECT_GT(hits, 800u);
    }
}

TEST_F(OctreePictures, OutlinesOfCubesRaysAndConesAreThoseOfEachOther) {
    constexpr Extent kLarge{192, 144, 1};
    Graph g = graph();
    const Octree made = tree(g, 15); // opaque
    const CameraParameters camera = beside();
    const OctreeView view{.octree = made,
                          .width = kLarge.width,
                          .height = kLarge.height,
                          .camera = camera,
                          .background = glm::vec4(0.0f)};
    OctreeView rays = view;
    rays.method = OctreeMethod::rays;
    rays = g.add(rays, "rays");
    const OctreeView cones = g.add(view, "cones");
    const DrawVoxels cubes = g.add(DrawVoxels{.voxels = g.add(ExtractVoxels{.octree = made}).voxels,
                                              .width = kLarge.width,
                                              .height = kLarge.height,
                                              .camera = camera,
                                              .background = glm::vec4(0.0f)},
                                   "cubes");
    g.output("rays", rays.result);
    g.output("rays_depth", rays.depth);
    g.output("cones", cones.result);
    g.output("cubes", cubes.result);
    g.output("cubes_depth", cubes.depth);
    Running running = run(std::move(g));
    if (!running) return;
    const HostImage by_rays = running.image("rays");
    const HostImage by_cones = running.image("cones");
    const HostImage by_cubes = running.image("cubes");
    const HostImage rays_depth = running.image("rays_depth");
    const HostImage cubes_depth = running.image("cubes_depth");
    ASSERT_FALSE(by_cubes.empty());
    const auto is_set = [](const HostImage& image, int x, int y) {
        return image.texel(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y))[3] > 0.5f;
    };
    // No farther than a texel from one of the other picture that is as this one.
    const auto is_near = [&](const HostImage& image, int x, int y, bool as) {
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const int px = std::clamp(x + dx, 0, int(kLarge.width) - 1);
                const int py = std::clamp(y + dy, 0, int(kLarge.height) - 1);
                if (is_set(image, px, py) == as) return true;
            }
        return false;
    };
    std::uint32_t set = 0;
    std::uint32_t outline = 0;
    std::uint32_t colors = 0;
    std::uint32_t depths = 0;
    for (int y = 0; y < int(kLarge.height); ++y)
        for (int x = 0; x < int(kLarge.width); ++x) {
            const bool cube = is_set(by_cubes, x, y);
            set += cube;
            outline += !is_near(by_cones, x, y, cube) || !is_near(by_rays, x, y, cube);
            const auto ux = static_cast<std::uint32_t>(x);
            const auto uy = static_cast<std::uint32_t>(y);
            const auto a = by_cubes.texel(ux, uy);
            const auto b = by_rays.texel(ux, uy);
            bool alike = true;
            for (std::size_t c = 0; c < 3; ++c)
                alike = alike && std::abs(a[c] - b[c]) <= 2.0f / 255.0f;
            colors += !alike;
            depths += alike &&
                      std::abs(cubes_depth.texel(ux, uy)[0] - rays_depth.texel(ux, uy)[0]) > 1e-4f;
        }
    EXPECT_GT(set, 7000u);
    // A device may move corners by 1/32 texel (four bits of sub-texel precision), so that gaps
    // narrower than that are in one picture and not in the other, and what is beside an edge is
    // that on its other side.
    EXPECT_LE(outline, set / 1000);
    EXPECT_LE(colors, set / 25);
    EXPECT_LE(depths, set / 100);
}

TEST_F(OctreePictures, WhatIsBehindIsSeenWhereNothingIsBeforeItAndHidesTheRest) {
    // A virtual object that fills the picture: nearer than everything, in the midst, farther.
    const CameraParameters camera = beside();
    for (const OctreeMethod method :
         {OctreeMethod::rays, OctreeMethod::cones, OctreeMethod::printed}) {
        Graph g = graph();
        const Octree made = tree(g, 15);
        const std::array<float, 3> depths{0.5f, 2.75f, 15.0f};
        for (std::size_t i = 0; i < 4; ++i) {
            OctreeView view{.octree = made,
                            .method = method,
                            .width = kSize.width,
                            .height = kSize.height,
                            .camera = camera,
                            .background = {0.0f, 1.0f, 0.0f, 1.0f}};
            if (i < 3) {
                const float z = depths[i];
                const float clip = 20.0f / (20.0f - 0.1f) * (1.0f - 0.1f / z);
                const std::string name = std::to_string(i);
                view.behind = g.clear(
                    g.image("color" + name, {.format = Format::rgba32_sfloat, .extent = kSize}),
                    std::array<float, 4>{0.0f, 1.0f, 0.0f, 1.0f});
                view.behind_depth = g.clear(
                    g.image("depth" + name, {.format = Format::r32_sfloat, .extent = kSize}),
                    std::array<float, 4>{clip, 0.0f, 0.0f, 0.0f});
            }
            view = g.add(view, "view" + std::to_string(i));
            g.output("color" + std::to_string(i), view.result);
            g.output("depth" + std::to_string(i), view.depth);
        }
        Running running = run(std::move(g));
        if (!running) return;
        const HostImage alone = running.image("color3");
        const HostImage alone_depth = running.image("depth3");
        for (std::size_t i = 0; i < 3; ++i) {
            const HostImage color = running.image("color" + std::to_string(i));
            ASSERT_FALSE(color.empty());
            std::uint32_t hidden = 0;
            std::uint32_t shown = 0;
            for (std::uint32_t y = 0; y < kSize.height; ++y)
                for (std::uint32_t x = 0; x < kSize.width; ++x) {
                    const float clip = alone_depth.texel(x, y)[0];
                    const double z = 0.1 * 20.0 / (20.0 - double{clip} * (20.0 - 0.1));
                    const auto texel = color.texel(x, y);
                    const auto whole = alone.texel(x, y);
                    if (z > double{depths[i]} + 0.1) {
                        ++hidden;
                        ASSERT_NEAR(texel[1], 1.0f, 0.51f);
                        if (method == OctreeMethod::rays) {
                            ASSERT_EQ(texel[0], 0.0f) << x << ", " << y;
                        }
                    }
                    if (z < double{depths[i]} - 0.3 || (i == 2 && clip == 1.0f)) {
                        ++shown;
                        for (std::size_t c = 0; c < 3; ++c)
                            ASSERT_NEAR(texel[c], whole[c], 0.02f) << x << ", " << y;
                    }
                }
            if (i < 2) {
                EXPECT_GT(hidden, 500u);
            }
            if (i > 0) {
                EXPECT_GT(shown, 150u);
            }
        }
    }
}

TEST_F(OctreePictures, BadInputIsRefused) {
    Graph g = graph();
    const Octree made = tree(g, 1);
    EXPECT_FALSE(
        g.add(OctreeView{.octree = made, .threshold = 200, .opaque_alpha = 200}, "alpha").result);
    const Image small = g.clear(g.image("small", {.format = Format::r32_sfloat, .extent = {4, 4}}),
                                std::array<float, 4>{});
    EXPECT_FALSE(g.add(OctreeView{.octree = made, .behind_depth = small}, "size").result);
    std::vector<std::string> codes;
    for (const Diagnostic& diagnostic : g.peek().diagnostics)
        codes.push_back(diagnostic.code);
    EXPECT_THAT(codes, testing::ElementsAre("pass/out-of-range", "image/size-mismatch"));
}

} // namespace
} // namespace tuff
