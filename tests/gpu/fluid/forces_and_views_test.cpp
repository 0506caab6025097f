#include "passes/fluid/forces.hpp"
#include "passes/fluid/smoke_view.hpp"
#include "passes/fluid/view.hpp"
#include "tests/gpu/fluid/fluid_test.hpp"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

/// Forces and pictures of flows, held against computations in double precision from what the passes
/// say of themselves.
namespace tuff {
namespace {

using passes::FluidBoundary;
using passes::FluidDye;
using passes::FluidFace;
using passes::FluidField;
using passes::FluidForces;
using passes::FluidShown;
using passes::FluidView;
using passes::SmokeView;
using testing_gpu::all_faces;
using testing_gpu::Cells;
using testing_gpu::Noise;
using testing_gpu::Running;
using testing_gpu::SolidAt;

/// Four numbers a cell, and what lies beyond the sides.
struct CellGrid {
    glm::ivec3 dims;
    Cells cells;
    bool periodic = false;

    std::size_t index(glm::ivec3 p) const {
        for (int axis = 0; axis < 3; ++axis)
            p[axis] = periodic ? (p[axis] + dims[axis]) % dims[axis]
                               : std::clamp(p[axis], 0, dims[axis] - 1);
        return static_cast<std::size_t>((p.z * dims.y + p.y) * dims.x + p.x);
    }
    glm::dvec4 at(glm::ivec3 p) const { return glm::dvec4(cells[index(p)]); }
    /// Linear between the middles of cells.
    glm::dvec4 between(glm::dvec3 place) const {
        const glm::dvec3 from = place - 0.5;
        const glm::ivec3 corner(glm::floor(from));
        glm::dvec4 sum(0.0);
        for (int i = 0; i < 8; ++i) {
            const glm::ivec3 q = corner + glm::ivec3(i & 1, i >> 1 & 1, i >> 2);
            const glm::dvec3 near = 1.0 - glm::abs(from - glm::dvec3(q));
            sum += near.x * near.y * near.z * at(q);
        }
        return sum;
    }
};

glm::ivec3 unit(int axis) {
    glm::ivec3 along(0);
    along[axis] = 1;
    return along;
}

/// d(velocity[of]) / d(axis).
double derivative(const CellGrid& flow, glm::ivec3 p, int of, int axis) {
    if (flow.dims[axis] == 1) return 0.0;
    return (flow.at(p + unit(axis))[of] - flow.at(p - unit(axis))[of]) / 2.0;
}

glm::dvec3 vorticity(const CellGrid& flow, glm::ivec3 p) {
    return {derivative(flow, p, 2, 1) - derivative(flow, p, 1, 2),
            derivative(flow, p, 0, 2) - derivative(flow, p, 2, 0),
            derivative(flow, p, 1, 0) - derivative(flow, p, 0, 1)};
}

double smoothstep(double low, double high, double x) {
    const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/// Red, then orange, then nearly white.
glm::dvec3 flame(double heat) {
    return glm::dvec3(3.0, 1.1, 0.35) * heat * heat *
           glm::dvec3(smoothstep(0.0, 0.6, heat), smoothstep(0.15, 1.1, heat),
                      smoothstep(0.45, 1.6, heat));
}

class FluidSights : public testing_gpu::FluidTest {
  protected:
    static CellGrid noise_grid(glm::uvec3 dims, std::uint32_t seed, bool periodic = false) {
        Noise noise(seed);
        return {glm::ivec3(dims),
                cells_of(dims,
                         [&](glm::ivec3) {
                             return glm::vec4(noise(), noise(), dims.z > 1 ? noise() : 0.0f,
                                              noise());
                         }),
                periodic};
    }
    static FluidDye dye_of(Graph& g, const CellGrid& grid, std::uint32_t scale) {
        return {.cells = buffer_of(g, "dye", grid.cells),
                .dims = glm::uvec3(grid.dims),
                .scale = scale};
    }
    static Cells vectors(Running& running, const std::string& name) {
        const std::vector<float> words = running.buffer<float>(name);
        Cells found(words.size() / 4);
        for (std::size_t i = 0; i < found.size(); ++i)
            found[i] = {words[4 * i], words[4 * i + 1], words[4 * i + 2], words[4 * i + 3]};
        return found;
    }
};

TEST_F(FluidSights, ForcesAreConfinementAndBuoyancyWithTheirSigns) {
    const glm::dvec3 lift(0.3, -0.7, 0.2);
    constexpr double kConfinement = 0.25;
    for (const bool periodic : {false, true})
        for (const glm::uvec3 dims : {glm::uvec3(23, 17, 1), glm::uvec3(9, 12, 7)}) {
            SCOPED_TRACE(testing::Message() << dims.z << (periodic ? ", periodic" : ""));
            const glm::ivec3 sides(dims);
            const CellGrid flow = noise_grid(dims, 11, periodic);
            const int deep = sides.z == 1 ? 1 : 2;
            const CellGrid heat =
                noise_grid(glm::uvec3(2 * sides.x, 2 * sides.y, deep * sides.z), 12);
            const SolidAt solid = [](glm::ivec3 p) { return p.x == 4 && p.y > 2 && p.y < 6; };
            Graph g = graph();
            const FluidField field =
                field_of(g, dims, flow.cells, solid,
                         all_faces(periodic ? FluidFace::periodic : FluidFace::wall));
            g.output(
                "confined",
                g.add(FluidForces{.field = field, .parameters = {.confinement = 0.25f}}).forces);
            g.output("both", g.add(FluidForces{.field = field,
                                               .dye = dye_of(g, heat, 2),
                                               .parameters = {.confinement = 0.25f,
                                                              .buoyancy = glm::vec3(lift)}})
                                 .forces);
            Running running = run(std::move(g));
            ASSERT_TRUE(running);
            const Cells confined = vectors(running, "confined");
            const Cells both = vectors(running, "both");
            ASSERT_EQ(confined.size(), flow.cells.size());
            for (std::size_t i = 0; i < confined.size(); ++i) {
                const glm::ivec3 p = place_of(i, dims);
                glm::dvec3 force(0.0);
                glm::dvec3 lifted(0.0);
                if (!solid(p)) {
                    glm::dvec3 growth(0.0);
                    for (int axis = 0; axis < 3; ++axis)
                        if (sides[axis] > 1) {
                            const auto length_at = [&](glm::ivec3 q) {
                                return glm::length(vorticity(flow, place_of(flow.index(q), dims)));
                            };
                            growth[axis] =
                                (length_at(p + unit(axis)) - length_at(p - unit(axis))) / 2.0;
                        }
                    const glm::dvec3 n = growth / (glm::length(growth) + 1e-5);
                    force = kConfinement * glm::cross(n, vorticity(flow, p));
                    double sum = 0.0;
                    for (int fine = 0; fine < 4 * deep; ++fine)
                        sum += heat.at(glm::ivec3(2, 2, deep) * p +
                                       glm::ivec3(fine & 1, fine >> 1 & 1, fine >> 2))
                                   .w;
                    lifted = lift * sum / (4.0 * deep);
                }
                // A small gradient has few digits, and is made a length of 1.
                ASSERT_LE(glm::length(glm::dvec3(confined[i]) - force), 1e-4) << i;
                ASSERT_LE(glm::length(glm::dvec3(both[i]) - force - lifted), 1e-4) << i;
            }
        }
}

TEST_F(FluidSights, ConfinementSpeedsWhirlsUpWhicheverWayTheyTurn) {
    const glm::uvec3 dims(33, 33, 1);
    for (const float turn : {1.0f, -1.0f}) {
        const auto whirl = [&](glm::ivec3 p) {
            const glm::vec2 off = glm::vec2(p) - 16.0f;
            const float speed = turn * 0.1f * std::exp(-glm::dot(off, off) / 50.0f);
            return glm::vec4(-off.y * speed, off.x * speed, 0.0f, 0.0f);
        };
        Graph g = graph();
        const FluidField field = field_of(g, dims, cells_of(dims, whirl));
        g.output("forces",
                 g.add(FluidForces{.field = field, .parameters = {.confinement = 1.0f}}).forces);
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        const Cells forces = vectors(running, "forces");
        for (std::size_t i = 0; i < forces.size(); ++i) {
            const glm::ivec3 p = place_of(i, dims);
            const float away = glm::length(glm::vec2(p) - 16.0f);
            if (away < 2.0f || away > 5.0f) continue; // within the core, |w| falls from the middle
            ASSERT_GT(glm::dot(glm::vec3(forces[i]), glm::vec3(whirl(p))), 0.0f) << i;
        }
    }
}

/// Whatever the views of a flow show, within it and across its sides.
class FluidViews : public FluidSights {
  protected:
    void expect_colors(bool periodic);
};

void FluidViews::expect_colors(bool periodic) {
    const glm::uvec3 dims(31, 21, 3);
    const CellGrid flow = noise_grid(dims, 21, periodic);
    CellGrid dye = noise_grid({62, 42, 6}, 22, periodic);
    for (glm::vec4& value : dye.cells)
        value = glm::abs(value);
    const SolidAt solid = [](glm::ivec3 p) { return p.x > 20 && p.y < 5 && p.z == 2; };
    const glm::uvec2 size(40, 32);
    constexpr double kGain = 1.3;
    Graph g = graph();
    const FluidField field = field_of(g, dims, flow.cells, solid,
                                      all_faces(periodic ? FluidFace::periodic : FluidFace::wall));
    constexpr std::array kAll{FluidShown::dye, FluidShown::fire, FluidShown::speed,
                              FluidShown::density, FluidShown::whirls};
    for (const FluidShown shown : kAll)
        g.output(std::string(ChoiceNames<FluidShown>::names[static_cast<std::size_t>(shown)]),
                 g.add(FluidView{.field = field,
                                 .dye = dye_of(g, dye, 2),
                                 .width = size.x,
                                 .height = size.y,
                                 .shown = shown,
                                 .gain = 1.3f,
                                 .slice = 0.8f,
                                 .background = {0.1f, 0.2f, 0.3f},
                                 .solid_color = {0.5f, 0.25f, 0.75f}})
                     .result);
    Running running = run(std::move(g));
    ASSERT_TRUE(running);
    const glm::dvec3 background(0.1, 0.2, 0.3);
    const auto of_sign = [](double value) {
        const glm::dvec3 side =
            value > 0.0 ? glm::dvec3(1.0, 0.25, 0.08) : glm::dvec3(0.1, 0.35, 1.0);
        return side * std::min(std::abs(value), 4.0) + 0.02;
    };
    std::size_t solids = 0;
    for (const FluidShown shown : kAll) {
        const std::string name(ChoiceNames<FluidShown>::names[static_cast<std::size_t>(shown)]);
        SCOPED_TRACE(name);
        const HostImage picture = running.image(name);
        for (std::uint32_t y = 0; y < size.y; ++y)
            for (std::uint32_t x = 0; x < size.x; ++x) {
                const glm::dvec2 share = (glm::dvec2(x, y) + 0.5) / glm::dvec2(size);
                const glm::ivec3 own(glm::floor(share * glm::dvec2(31.0, 21.0)), 2); // of 0.8 * 3
                glm::dvec3 color;
                const glm::dvec4 dyed = dye.between({share * glm::dvec2(62.0, 42.0), 4.5});
                const glm::dvec4 moving = flow.between({share * glm::dvec2(31.0, 21.0), 2.5});
                if (solid(own)) {
                    color = {0.5, 0.25, 0.75};
                    ++solids;
                } else if (shown == FluidShown::dye) {
                    color = background + kGain * glm::dvec3(dyed);
                } else if (shown == FluidShown::fire) {
                    const double clear = std::exp(-kGain * dyed.x);
                    color = clear * background + (1.0 - clear) * 0.06 + flame(kGain * dyed.w);
                } else if (shown == FluidShown::speed) {
                    color =
                        glm::dvec3(0.3, 0.75, 1.0) * kGain * glm::length(glm::dvec3(moving)) + 0.01;
                } else if (shown == FluidShown::density) {
                    color = of_sign(kGain * moving.w);
                } else {
                    color = of_sign(kGain * vorticity(flow, own).z);
                }
                const std::array<float, 4> found = picture.texel(x, y);
                for (int c = 0; c < 3; ++c)
                    ASSERT_NEAR(double{found[static_cast<std::size_t>(c)]}, color[c],
                                1e-3 * color[c] + 1e-4) // half precision
                        << x << ", " << y;
            }
    }
    EXPECT_GT(solids, 100u);
}

TEST_F(FluidViews, AreWhatTheySayOfTheirColors) {
    expect_colors(false);
}

TEST_F(FluidViews, GoOnAcrossPeriodicSides) {
    expect_colors(true);
}

/// Rays through smoke in double precision, in steps ten times as fine as those of the pass.
class SmokeReference {
  public:
    SmokeReference(CellGrid dye, SolidAt solid) : dye_(std::move(dye)), solid_(std::move(solid)) {}

    glm::dvec3 towards_light{0.0};
    double extinction = 0.0;
    double albedo = 0.0;
    double glow = 0.0;
    glm::dvec3 light{0.0};
    glm::dvec3 ambient{0.0};
    glm::dvec3 solid_color{0.0};
    glm::dvec3 background{0.0};

    /// The share of the light that comes to each cell: by the cells at whole steps on the way.
    void find_light() {
        light_ = dye_;
        for (std::size_t i = 0; i < dye_.cells.size(); ++i) {
            const auto number = static_cast<int>(i);
            glm::dvec3 place =
                0.5 + glm::dvec3(number % dye_.dims.x, number / dye_.dims.x % dye_.dims.y,
                                 number / (dye_.dims.x * dye_.dims.y));
            double depth = 0.0;
            bool dark = false;
            for (place += towards_light; is_inside(place); place += towards_light) {
                const glm::ivec3 cell(glm::floor(place));
                dark = dark || solid_(cell);
                depth += amount(dye_.at(cell));
            }
            light_.cells[i] =
                glm::vec4(dark ? 0.0f : static_cast<float>(std::exp(-extinction * depth)));
        }
    }
    glm::dvec3 along(glm::dvec3 eye, glm::dvec3 direction) const {
        constexpr double kFine = 0.025;
        glm::dvec3 gained(0.0);
        double through = 1.0;
        bool was_inside = false;
        for (double at = 0.5 * kFine; at < 200.0; at += kFine) {
            const glm::dvec3 place = eye + at * direction;
            if (!is_inside(place)) {
                if (was_inside) break;
                continue;
            }
            was_inside = true;
            if (solidity(place) > 0.5) return gained + through * of_solid(place, direction);
            const glm::dvec4 here = dye_.between(place);
            const double much = amount(here);
            const double lost = 1.0 - std::exp(-extinction * much * kFine);
            const glm::dvec3 tint = glm::dvec3(here) / std::max(much, 1e-6);
            const double lit = light_.between(place).x;
            gained += through * (lost * albedo * tint * (ambient + 0.318 * lit * light) +
                                 glow * 0.1 * kFine * flame(here.w));
            through *= 1.0 - lost;
        }
        return gained + through * background;
    }

  private:
    static double amount(const glm::dvec4& dye) { return (dye.x + dye.y + dye.z) / 3.0; }
    bool is_inside(glm::dvec3 place) const {
        for (int axis = 0; axis < 3; ++axis)
            if (place[axis] < 0.0 || place[axis] >= dye_.dims[axis]) return false;
        return true;
    }
    bool is_solid(glm::ivec3 cell) const {
        return is_inside(glm::dvec3(cell) + 0.5) && solid_(cell);
    }
    double solidity(glm::dvec3 place) const {
        const glm::dvec3 from = place - 0.5;
        double sum = 0.0;
        for (int i = 0; i < 8; ++i) {
            const glm::ivec3 q =
                glm::ivec3(glm::floor(from)) + glm::ivec3(i & 1, i >> 1 & 1, i >> 2);
            const glm::dvec3 near = 1.0 - glm::abs(from - glm::dvec3(q));
            if (is_solid(q)) sum += near.x * near.y * near.z;
        }
        return sum;
    }
    glm::dvec3 of_solid(glm::dvec3 place, glm::dvec3 direction) const {
        glm::dvec3 normal = -0.5 * direction;
        for (int i = 0; i < 343; ++i) {
            const glm::ivec3 q =
                glm::ivec3(glm::floor(place)) + glm::ivec3(i % 7, i / 7 % 7, i / 49) - 3;
            const glm::dvec3 way = glm::dvec3(q) + 0.5 - place;
            if (is_solid(q)) normal -= way * std::exp(-0.4 * glm::dot(way, way));
        }
        normal = glm::normalize(normal);
        const double lit =
            std::max(glm::dot(normal, towards_light), 0.0) * light_.between(place + 2.5 * normal).x;
        return solid_color * (ambient * (0.75 + 0.25 * normal.y) + 0.318 * lit * light);
    }
    CellGrid dye_;
    CellGrid light_;
    SolidAt solid_;
};

TEST_F(FluidSights, SmokeAndFireAreThoseOfFineStepsInDoublePrecision) {
    const glm::uvec3 dims(20, 24, 16);
    // A cloud of one colour above flames, neither of them in the middle or at a side.
    const auto cloud = [](glm::ivec3 p) {
        const auto blob = [&](glm::vec3 middle, float radius) {
            const glm::vec3 off = (glm::vec3(p) - middle) / radius;
            return std::exp(-glm::dot(off, off));
        };
        return glm::vec4(glm::vec3(0.9f, 0.6f, 0.3f) * blob({6.0f, 16.0f, 6.0f}, 5.0f),
                         1.2f * blob({13.0f, 8.0f, 11.0f}, 4.0f));
    };
    const CellGrid dye{glm::ivec3(dims), cells_of(dims, cloud), false};
    const std::array<SolidAt, 2> solids{[](glm::ivec3) { return false; },
                                        [](glm::ivec3 p) {
                                            const glm::vec3 off =
                                                glm::vec3(p) - glm::vec3(12.0f, 12.0f, 5.0f);
                                            return p.y < 3 || glm::dot(off, off) < 14.0f;
                                        }};
    const glm::uvec2 size(36, 28);
    const glm::dvec3 eye(1.6, 1.1, 2.9); // the longest side is 2 there
    const glm::dvec3 target(0.05, -0.1, 0.1);
    for (const SolidAt& solid : solids) {
        Graph g = graph();
        const FluidField field = field_of(g, dims, Cells(dye.cells.size(), glm::vec4(0.0f)), solid);
        SmokeView view{.field = field,
                       .dye = dye_of(g, dye, 1),
                       .width = size.x,
                       .height = size.y,
                       .step = 0.25f,
                       .extinction = 0.35f,
                       .albedo = glm::vec3(0.8f),
                       .glow = 2.0f,
                       .towards_light = {0.6f, 0.8f, 0.3f}};
        view.camera.mode = passes::CameraMode::free;
        view.camera.position = glm::vec3(eye);
        view.camera.target = glm::vec3(target);
        g.output("picture", g.add(view).result);
        Running running = run(std::move(g));
        ASSERT_TRUE(running);
        const HostImage picture = running.image("picture");

        SmokeReference reference(dye, solid);
        reference.towards_light = glm::normalize(glm::dvec3(0.6, 0.8, 0.3));
        reference.extinction = 0.35;
        reference.albedo = 0.8;
        reference.glow = 2.0;
        reference.light = glm::dvec3(view.light);
        reference.ambient = glm::dvec3(view.ambient);
        reference.solid_color = glm::dvec3(view.solid_color);
        reference.background = glm::dvec3(view.background);
        reference.find_light();
        const glm::dvec3 forward = glm::normalize(target - eye);
        const glm::dvec3 right = glm::normalize(glm::cross(forward, glm::dvec3(0.0, 1.0, 0.0)));
        const glm::dvec3 up = glm::cross(right, forward);
        const double half = std::tan(glm::radians(35.0) / 2.0);
        std::size_t off = 0;
        std::size_t seen = 0;
        for (std::uint32_t y = 0; y < size.y; ++y)
            for (std::uint32_t x = 0; x < size.x; ++x) {
                const glm::dvec2 clip = (glm::dvec2(x, y) + 0.5) / glm::dvec2(size) * 2.0 - 1.0;
                const glm::dvec3 direction = glm::normalize(
                    forward + half * (clip.x * size.x / size.y * right - clip.y * up));
                const glm::dvec3 color =
                    reference.along(12.0 * eye + 0.5 * glm::dvec3(dims), direction);
                const std::array<float, 4> found = picture.texel(x, y);
                bool same = true;
                for (int c = 0; c < 3; ++c)
                    same = same && std::abs(double{found[static_cast<std::size_t>(c)]} -
                                            color[c]) <= 0.01 * color[c] + 0.006;
                off += !same;
                seen += glm::length(color - reference.background) > 0.05;
            }
        EXPECT_GT(seen, 250u);
        // Edges of solids, and of rays that end where next to nothing shines through.
        EXPECT_LE(off, solid({0, 0, 0}) ? 10u : 0u);
        RecordProperty("off", static_cast<int>(off));
    }
}

} // namespace
} // namespace tuff
