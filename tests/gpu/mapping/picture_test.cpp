#include "passes/mapping/composite.hpp"
#include "passes/mapping/points.hpp"
#include "passes/mapping/pose.hpp"
#include "passes/mapping/trajectory.hpp"
#include "passes/mapping/tsdf.hpp"
#include "tests/gpu/mapping/mapping_test.hpp"

#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include <cmath>
#include <limits>

/// mapping/trajectory, mapping/plot, mapping/points, mapping/composite and mapping/view.
namespace tuff {
namespace {

using passes::MappingComposite;
using passes::MappingPlot;
using passes::MappingPoints;
using passes::MappingPose;
using passes::MappingTrajectory;
using passes::TrajectoryStatus;
using testing_gpu::Running;

class PictureTest : public testing_gpu::MappingTest {};

/// Six poses along x; the fourth is lost. The truth is 1 cm lower and turned by a tenth of a degree
/// more each time; the other path is 40 cm aside.
struct Path {
    std::vector<glm::vec4> rows;
    std::vector<glm::vec4> true_rows;
    std::vector<glm::vec4> other_rows;
};

Path path_of_six() {
    Path path;
    for (int i = 0; i < 6; ++i) {
        const glm::dmat4 pose = glm::translate(glm::dmat4(1.0), glm::dvec3(0.2 * i, 1.0, 0.1));
        const glm::dmat4 truth =
            glm::rotate(glm::translate(glm::dmat4(1.0), glm::dvec3(0.2 * i, 0.99, 0.1)),
                        glm::radians(0.1 * i), glm::normalize(glm::dvec3(1, 2, 3)));
        for (const glm::vec4 row : testing_gpu::rows_of(pose, i == 3 ? 0.0f : 1.0f))
            path.rows.push_back(row);
        for (const glm::vec4 row : testing_gpu::rows_of(truth))
            path.true_rows.push_back(row);
        for (const glm::vec4 row :
             testing_gpu::rows_of(glm::translate(glm::dmat4(1.0), glm::dvec3(0.2 * i, 1.0, 0.5))))
            path.other_rows.push_back(row);
    }
    path.rows[13].x = std::numeric_limits<float>::quiet_NaN(); // of the lost one
    return path;
}

TEST_F(PictureTest, TrajectoriesAreRecordedAndCompared) {
    const Path path = path_of_six();
    for (const int room : {4, 100}) {
        TrajectoryStatus status;
        std::vector<glm::vec4> positions;
        HostImage plot;
        Running running = play(
            [&](int i) {
                Graph g = graph();
                const auto at = static_cast<std::uint32_t>(i);
                const auto recorded = g.add(MappingTrajectory{
                    .pose =
                        g.add(MappingPose{.list = pose_buffer(g, "list", path.rows), .index = at},
                              "pose")
                            .pose,
                    .truth = g.add(MappingPose{.list = pose_buffer(g, "truths", path.true_rows),
                                               .index = at},
                                   "truth")
                                 .pose,
                    .room = room});
                const auto other = g.add(
                    MappingTrajectory{
                        .pose = g.add(MappingPose{.list = pose_buffer(g, "others", path.other_rows),
                                                  .index = at},
                                      "other")
                                    .pose,
                        .room = room},
                    "elsewhere");
                g.output("status", recorded.status);
                g.output("positions", recorded.positions);
                g.output("plot", g.add(MappingPlot{.positions = recorded.positions,
                                                   .true_positions = recorded.true_positions,
                                                   .other_positions = other.positions,
                                                   .status = recorded.status,
                                                   .width = 60,
                                                   .height = 40,
                                                   .low = {-0.5f, -0.875f},
                                                   .high = {1.5f, 1.125f},
                                                   .line = 1.0f})
                                     .result);
                return g;
            },
            0, 6,
            [&](Running& at, int) {
                status = TrajectoryStatus::read(at.buffer<std::uint32_t>("status"));
                positions = at.buffer<glm::vec4>("positions");
                plot = at.image("plot");
            });
        ASSERT_TRUE(running);
        EXPECT_EQ(status.frames, 6u);
        EXPECT_EQ(status.lost, 1u);
        EXPECT_NEAR(status.rms_distance, 0.01, 1e-6);
        EXPECT_NEAR(status.most_distance, 0.01, 1e-6);
        EXPECT_NEAR(status.distance, 0.01, 1e-6);
        EXPECT_NEAR(status.angle, 0.5, 1e-4);
        EXPECT_NEAR(status.most_angle, 0.5, 1e-4);
        // 0, 0.1, 0.2, 0.4 and 0.5 degrees.
        EXPECT_NEAR(status.rms_angle, std::sqrt((0.01 + 0.04 + 0.16 + 0.25) / 5.0), 1e-4);
        ASSERT_EQ(positions.size(), static_cast<std::size_t>(room));
        for (std::size_t i = 0; i < std::min<std::size_t>(positions.size(), 6); ++i)
            if (i == 3)
                EXPECT_EQ(positions[i], glm::vec4(0.0f));
            else
                EXPECT_LT(glm::distance(positions[i],
                                        glm::vec4(0.2f * static_cast<float>(i), 1.0f, 0.1f, 1.0f)),
                          1e-6f);
        // The lines lie on a row of texels; a cross of 9 texels is where the camera is.
        const auto texel_at = [&](double x, double z) {
            return plot.texel(static_cast<std::uint32_t>((x + 0.5) / 2.0 * 60.0),
                              static_cast<std::uint32_t>((z + 0.875) / 2.0 * 40.0));
        };
        const auto is_orange = [&](double x, double z) {
            const auto texel = texel_at(x, z);
            return texel[0] > 0.9f && texel[1] > 0.4f && texel[2] < 0.2f;
        };
        EXPECT_TRUE(is_orange(0.1, 0.1));
        EXPECT_TRUE(is_orange(0.2, 0.1));
        EXPECT_FALSE(is_orange(0.3, 0.4));
        EXPECT_FALSE(is_orange(0.5, 0.1)) << "nobody knows how it came to the place after the loss";
        EXPECT_EQ(is_orange(0.85, 0.1), room > 4);
        const auto is_blue = [&](double x, double z) {
            const auto texel = texel_at(x, z);
            return texel[0] < 0.4f && texel[1] > 0.5f && texel[2] > 0.9f;
        };
        EXPECT_TRUE(is_blue(0.1, 0.5));
        EXPECT_TRUE(is_blue(0.5, 0.5)) << "it is not lost in the fourth frame";
        EXPECT_FALSE(is_blue(0.3, 0.3));
        EXPECT_EQ(is_blue(0.85, 0.5), room > 4);
    }
}

TEST_F(PictureTest, PointsForTheOctreeAreHitsAndFreeRays) {
    const Extent extent{37, 29, 1};
    std::vector<float> depths(37 * 29);
    for (std::size_t i = 0; i < depths.size(); ++i)
        depths[i] = i % 7 == 0   ? 0.0f
                    : i % 7 == 1 ? 9.0f
                    : i % 7 == 2 ? std::numeric_limits<float>::quiet_NaN()
                                 : 0.5f + 0.003f * static_cast<float>(i);
    const glm::dmat4 pose = passes::looking_at({0.4, 1.1, -2.0}, {0.1, 0.2, 0.7});
    for (const float last : {1.0f, 0.0f}) {
        Graph g = graph();
        const auto made =
            g.add(MappingPoints{.frame = frame_of(g, extent, depths),
                                .pose = pose_buffer(g, "pose", testing_gpu::rows_of(pose, last))});
        g.output("points", made.points);
        g.output("count", made.count);
        g.output("matrix", made.matrix);
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        EXPECT_EQ(running.buffer<std::uint32_t>("count").at(0), last > 0.0f ? 37u * 29u : 0u);
        if (last == 0.0f) continue;
        const auto points = running.buffer<passes::MappingPoint>("points");
        const auto columns = running.buffer<glm::vec4>("matrix");
        for (int c = 0; c < 4; ++c)
            EXPECT_LT(glm::distance(glm::dvec4(columns.at(static_cast<std::size_t>(c))), pose[c]),
                      1e-6);
        const glm::dvec4 k(testing_gpu::lens_of(extent));
        for (std::size_t i = 0; i < depths.size(); ++i) {
            if (i % 7 == 0 || i % 7 == 2) {
                ASSERT_TRUE(std::isnan(points[i].position.x));
                ASSERT_EQ(points[i].color, 0u);
                continue;
            }
            const double z = std::min(double{depths[i]}, 5.0);
            const glm::dvec3 expected(
                pose * glm::dvec4(z * testing_gpu::ray_of(k, double(i % 37), double(i / 37)), 1.0));
            ASSERT_LT(glm::distance(glm::dvec3(points[i].position), expected), 5e-6);
            ASSERT_EQ(points[i].color, i % 7 == 1 ? 0u : ~0u);
        }
    }
}

TEST_F(PictureTest, AnObjectIsBehindWhatIsNearer) {
    const Extent extent{64, 48, 1};
    const glm::dmat4 camera = passes::looking_at({0, 0.2, -1.5}, {0, 0.2, 0});
    // The left half is nearer than the hare, the right half behind it; the lowest rows say nothing.
    std::vector<float> depths(64 * 48);
    for (std::size_t i = 0; i < depths.size(); ++i)
        depths[i] = i / 64 > 40 ? 0.0f : i % 64 < 32 ? 1.0f : 3.0f;
    const auto picture = [&](float last) {
        Graph g = graph();
        g.output("picture",
                 g.add(MappingComposite{
                           .frame = frame_of(g, extent, depths),
                           .pose = pose_buffer(g, "pose", testing_gpu::rows_of(camera, last)),
                           .position = {0, 0, 0},
                           .size = 0.45f,
                           .color = {1, 0, 0}})
                     .result);
        return run(std::move(g)).image("picture");
    };
    const HostImage seen = picture(1.0f);
    const HostImage lost = picture(0.0f);
    ASSERT_FALSE(seen.empty());
    int left = 0;
    int right = 0;
    for (std::uint32_t y = 0; y <= 40; ++y)
        for (std::uint32_t x = 0; x < 64; ++x) {
            const auto texel = seen.texel(x, y);
            const bool red = texel[0] > 0.2f && texel[1] < 0.05f;
            (x < 32 ? left : right) += red ? 1 : 0;
            ASSERT_EQ(lost.texel(x, y)[1], 1.0f);
        }
    EXPECT_EQ(left, 0);
    // It is 15 pixels high and about as long, half of it is hidden, and a third is air.
    EXPECT_GT(right, 25);
    EXPECT_LT(right, 113);
}

TEST_F(PictureTest, ARoundSurfaceIsSeenWhereItIs) {
    // A globe of four and a half voxels before a wall. Distances between voxels that were linear
    // would put its surface 2.5 mm farther in.
    const Extent extent{160, 120, 1};
    constexpr double kRadius = 0.22;
    const glm::dvec3 centre(0.03, -0.05, 1.2);
    const glm::dvec4 k(testing_gpu::lens_of(extent));
    std::vector<float> depths;
    for (std::uint32_t y = 0; y < extent.height; ++y)
        for (std::uint32_t x = 0; x < extent.width; ++x) {
            const glm::dvec3 ray = testing_gpu::ray_of(k, x, y);
            const double a = glm::dot(ray, ray);
            const double b = glm::dot(ray, centre);
            const double root = b * b - a * (glm::dot(centre, centre) - kRadius * kRadius);
            depths.push_back(static_cast<float>(root > 0.0 ? (b - std::sqrt(root)) / a : 2.0));
        }
    Graph g = graph();
    const auto seen = frame_of(g, extent, depths);
    const auto pose = g.add(MappingPose{.position = glm::vec3(0.0f), .target = {0.0f, 0.0f, 1.0f}});
    const auto tsdf = g.add(passes::MappingTsdf{
        .frame = seen,
        .pose_given = pose.pose,
        .grid = {.dims = {40, 40, 50}, .corner = {-1.0f, -1.0f, -0.2f}, .side = 0.05f}});
    const auto view = g.add(
        passes::MappingView{.volume = tsdf.volume, .pose = pose.pose, .width = 160, .height = 120});
    g.output("seen", view.maps.geometry[0]);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const HostImage image = running.image("seen");
    double sum = 0.0;
    double squares = 0.0;
    int count = 0;
    for (std::uint32_t y = 0; y < extent.height; ++y)
        for (std::uint32_t x = 0; x < extent.width; ++x) {
            const auto texel = image.texel(x, y);
            const glm::dvec3 ray = testing_gpu::ray_of(k, x, y);
            const glm::dvec3 truth = ray * double{depths[y * extent.width + x]};
            const glm::dvec3 normal = (truth - centre) / kRadius;
            // Not near the silhouette, where the truncation cuts distances off.
            if (truth.z > 1.9 || -glm::dot(normal, glm::normalize(ray)) < 0.7) continue;
            ASSERT_GT(texel[3], 0.0f);
            const double inside = kRadius - glm::distance(ray * double{texel[3]}, centre);
            sum += inside;
            squares += inside * inside;
            ++count;
        }
    EXPECT_GT(count, 500);
    EXPECT_LT(std::abs(sum / count), 0.7e-3);
    EXPECT_LT(std::sqrt(squares / count), 1.5e-3);
}

} // namespace
} // namespace tuff
