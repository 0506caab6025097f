#include "apps/bench/checks.hpp"
#include "passes/hair/bench_reference.hpp"
#include "passes/hair/groom.hpp"
#include "passes/hair/step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

/// A head of hair that is shaken, as many vertices as the case has elements; one step is timed.
namespace tuff::bench {
namespace {

using passes::HairPipeline;
using passes::LengthSolver;
using passes::StepHair;

struct HairCase {
    std::uint32_t vertices = 16;
    std::uint32_t substeps = 1;
    std::uint32_t capsules = 0;
    passes::HairMotion motion = {};
    double most_stretch = 0.0; ///< that an edge may have; 0: any
};

/// A skull, a neck, shoulders and others, alternately.
std::vector<float> body(std::uint32_t count) {
    std::vector<float> numbers;
    for (std::uint32_t i = 0; i < count; ++i) {
        const float turn = 0.7f * static_cast<float>(i);
        const glm::vec3 at = i == 0
                                 ? glm::vec3(0.0f)
                                 : glm::vec3(0.12f * std::cos(turn), -0.2f, 0.12f * std::sin(turn));
        const float radius = i == 0 ? 0.095f : 0.05f;
        numbers.insert(numbers.end(), {at.x, at.y, at.z, radius, at.x * 1.5f,
                                       i == 0 ? at.y : at.y - 0.1f, at.z * 1.5f, radius});
    }
    return numbers;
}

passes::HeadParameters shaken(std::uint32_t step) {
    const double angle = 2.0 * std::numbers::pi * 2.0 * step / 60.0; // twice a second
    return {.position = {static_cast<float>(0.03 * std::sin(angle)), 0.0f, 0.0f},
            .turn = {0.0f, static_cast<float>(20.0 * std::sin(angle)), 0.0f}};
}

/// Finite places, edges that are not too long, and nothing within the skull.
Verdict check_hair(std::span<const glm::vec4> got, std::span<const glm::vec4> rest,
                   const HairCase& of, glm::vec3 skull, std::string& remark) {
    double most = 0.0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const auto vertex = static_cast<std::uint32_t>(i % of.vertices);
        const glm::dvec3 x(got[i]);
        if (!(glm::length(x) < 1e6)) return std::unexpected(fmt::format("vertex {} is lost", i));
        if (of.capsules > 0 && !of.motion.closing && vertex > 1 &&
            glm::distance(x, glm::dvec3(skull)) < 0.095 - 1e-5)
            return std::unexpected(fmt::format("vertex {} is within the skull", i));
        if (vertex == 0 || vertex + 1 == of.vertices) continue;
        const double now = glm::distance(x, glm::dvec3(got[i + 1]));
        most = std::max(most, std::abs(now / static_cast<double>(rest[i].w) - 1.0));
    }
    remark = fmt::format("edges within {:.2f} %", 100.0 * most);
    if (of.most_stretch > 0.0 && most > of.most_stretch)
        return std::unexpected(fmt::format("an edge is {:.2f} % off its length", 100.0 * most));
    return {};
}

/// Some strands against the reference in double precision.
Verdict check_strands(std::span<const glm::vec4> got, std::span<const glm::vec4> rest,
                      std::span<const glm::vec4> positions, std::span<const glm::vec4> previous,
                      const HairCase& of, const passes::HeadParameters& head) {
    reference::Forces forces{.dt = 1.0 / 60.0 / of.substeps,
                             .damping = static_cast<double>(of.motion.damping[0]),
                             .local = static_cast<double>(of.motion.local_stiffness[0]),
                             .global = static_cast<double>(of.motion.global_stiffness[0]),
                             .range = static_cast<double>(of.motion.global_range[0]),
                             .iterations = static_cast<int>(of.motion.length_iterations)};
    const glm::vec4 q = head.quaternion();
    const reference::Turn turn(static_cast<double>(q.w), static_cast<double>(q.x),
                               static_cast<double>(q.y), static_cast<double>(q.z));
    const std::size_t strands = rest.size() / of.vertices;
    for (std::size_t k = 0; k < std::min<std::size_t>(strands, 16); ++k) {
        const std::size_t s = k * 2'654'435'761u % strands;
        const auto places = [&](std::span<const glm::vec4> from) {
            std::vector<reference::Vec> all;
            for (std::size_t v = 0; v < of.vertices; ++v)
                all.emplace_back(from[s * of.vertices + v]);
            return all;
        };
        reference::Strand strand(places(rest), static_cast<unsigned>(s));
        strand.x = places(positions);
        strand.before = places(previous);
        strand.step(forces, turn, reference::Vec(head.position));
        for (std::size_t v = 0; v < of.vertices; ++v)
            if (!(glm::distance(reference::Vec(got[s * of.vertices + v]), strand.x[v]) < 1e-5))
                return std::unexpected(fmt::format(
                    "vertex {} of strand {} is {} off the reference", v, s,
                    glm::distance(reference::Vec(got[s * of.vertices + v]), strand.x[v])));
    }
    return {};
}

void step(CaseBuilder& c, HairCase of) {
    const bool on_cpu = c.caps().type == DeviceType::cpu;
    const std::uint32_t shaking = on_cpu ? 4 : 20;
    Graph& g = c.graph();
    const auto strands =
        std::max<std::uint32_t>(static_cast<std::uint32_t>(c.size() / of.vertices), 1);
    const passes::HairGroom groom =
        g.add(passes::GroomHair{
                  .count = strands, .vertices = of.vertices, .shape = passes::StrandShape::wavy})
            .groom;
    of.motion.substeps = of.substeps;
    StepHair pass{.groom = groom, .motion = of.motion};
    if (of.capsules > 0)
        pass.colliders = g.add(passes::CollideHair{.capsules = body(of.capsules)}).colliders;
    for (std::uint32_t i = 0; i <= shaking; ++i) {
        pass.head_before = shaken(i);
        pass.head = shaken(i + 1);
        if (i < shaking) pass.state = g.add(pass, "shake").after;
    }
    c.output("positions", pass.state.positions);
    c.output("previous", pass.state.previous);
    c.output("rest", groom.rest);
    c.time_only("timed/");
    const StepHair timed = c.add(pass, "timed");
    c.output("after", timed.after.positions);
    c.check([of, head = pass.head](CaseResults& results) -> Verdict {
        const auto after = results.read<glm::vec4>("after");
        const auto rest = results.read<glm::vec4>("rest");
        std::string remark;
        const Verdict whole = check_hair(after, rest, of, head.position, remark);
        results.set_remark(remark);
        const bool known = of.motion.solver == LengthSolver::batches && of.capsules == 0;
        if (!whole || !known) return whole;
        return check_strands(after, rest, results.read<glm::vec4>("positions"),
                             results.read<glm::vec4>("previous"), of, head);
    });
}

} // namespace

void add_hair_step_cases(CaseList& cases) {
    const auto add = [&](std::string name, const HairCase& of) {
        cases.add({.pass = std::string(StepHair::kName),
                   .name = std::move(name),
                   .build = [of](CaseBuilder& c) { step(c, of); },
                   .least = 256,
                   .most = std::uint64_t{1} << 25,
                   .most_on_software = std::uint64_t{1} << 14});
    };
    const auto solver = [](LengthSolver which, std::uint32_t iterations) {
        passes::HairMotion motion;
        motion.solver = which;
        motion.length_iterations = iterations;
        return motion;
    };
    add("12 vertices", {.vertices = 12});
    HairCase split{.vertices = 12};
    split.motion.pipeline = HairPipeline::split;
    add("12 vertices in five kernels", split);
    for (const std::uint32_t vertices : {8u, 16u, 32u, 64u})
        add(fmt::format("{} vertices", vertices), {.vertices = vertices});
    add("32 vertices 8 sub-steps 16 capsules", {.vertices = 32,
                                                .substeps = 8,
                                                .capsules = 16,
                                                .motion = solver(LengthSolver::batches, 1)});
    HairCase full{
        .vertices = 32, .substeps = 8, .capsules = 16, .motion = solver(LengthSolver::direct, 1)};
    add("32 vertices 8 sub-steps 16 capsules direct", full);
    full.most_stretch = 0.01;
    full.motion.closing = true;
    add("32 vertices 8 sub-steps 16 capsules direct and closing", full);
    full.motion = solver(LengthSolver::follow, 1);
    full.motion.correction = 0.9f;
    full.motion.closing = true;
    add("32 vertices 8 sub-steps 16 capsules follow", full);
    full.motion = solver(LengthSolver::batches, 1);
    full.motion.closing = true;
    add("32 vertices 8 sub-steps 16 capsules closing", full);
    add("32 vertices 16 sub-steps soft",
        {.vertices = 32, .substeps = 16, .motion = solver(LengthSolver::soft, 1)});
    add("32 vertices 20 iterations", {.vertices = 32, .motion = solver(LengthSolver::batches, 20)});
    add("32 vertices direct", {.vertices = 32, .motion = solver(LengthSolver::direct, 2)});
    HairCase rod{.vertices = 32, .substeps = 8, .motion = solver(LengthSolver::rod, 1)};
    add("32 vertices 8 sub-steps rod", rod);
}

} // namespace tuff::bench
