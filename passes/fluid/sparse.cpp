#include "passes/common/picture.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
#include "passes/fluid/sparse_step.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kMaxSmokeEmitters = 8;

double mass_of(const std::uint32_t (&words)[2]) {
    return std::ldexp(static_cast<double>(std::uint64_t{words[1]} << 32 | words[0]), -14);
}

bool has_valid_sides(Graph& graph, const FluidBoundary& b) {
    for (const FluidFace face : {b.left, b.right, b.bottom, b.top, b.back, b.front})
        if (face != FluidFace::wall && face != FluidFace::open) {
            graph.error("fluid/sparse-side",
                        "a sparse domain supports only sides of \"wall\" "
                        "or \"open\"",
                        "use these, and make the domain larger: empty space costs nothing");
            return false;
        }
    return true;
}

bool has_valid_reach(Graph& graph, const SparseFluid& pass) {
    if (pass.parameters.storage == SparseStorage::dense) return true;
    const glm::uvec3 brick = pass.parameters.brick;
    const std::uint32_t most = std::min({brick.x, brick.y, brick.z});
    return in_range(graph, "reach", pass.reach, 1, most);
}

bool has_valid_emitters(Graph& graph, const SparseFluid& pass) {
    if (pass.emitters.size() > kMaxSmokeEmitters) {
        graph.error("fluid/too-many-emitters",
                    fmt::format("there are {} emitters; at most {} are supported",
                                pass.emitters.size(), kMaxSmokeEmitters));
        return false;
    }
    const auto count = [&](SmokeShape shape) {
        return std::ranges::count(pass.emitters, shape, &SmokeEmitter::shape);
    };
    if (count(SmokeShape::texture) > 1 || count(SmokeShape::voxels) > 1) {
        graph.error("fluid/too-many-emitters",
                    "at most one emitter may have a texture, and at most one may have voxels");
        return false;
    }
    for (const SmokeEmitter& emitter : pass.emitters) {
        const glm::vec3 low = emitter.position - emitter.extent();
        const glm::vec3 high = emitter.position + emitter.extent();
        if (glm::any(glm::greaterThanEqual(low, glm::vec3(pass.dims))) ||
            glm::any(glm::lessThanEqual(high, glm::vec3(0.0f))))
            graph.report(warning(
                "fluid/emitter-outside",
                fmt::format("an emitter at ({:g}, {:g}, {:g}) is outside of the domain of {} x "
                            "{} x {} cells and emits nothing",
                            emitter.position.x, emitter.position.y, emitter.position.z, pass.dims.x,
                            pass.dims.y, pass.dims.z),
                "move the emitter, or increase \"dims\""));
    }
    return true;
}

bool holds_initial(Graph& graph, const SparseFluid& pass) {
    const std::uint64_t cells = std::uint64_t{pass.dims.x} * pass.dims.y * pass.dims.z;
    for (const auto& [name, buffer] : {std::pair{"initial_velocity", pass.initial_velocity},
                                       std::pair{"initial_dye", pass.initial_dye}}) {
        if (!buffer || graph.desc(buffer).size >= 16 * cells) continue;
        graph.error(
            "primitives/too-short",
            fmt::format("\"{}\" has fewer than one vec4 for each of {} cells", name, cells));
        return false;
    }
    return true;
}

} // namespace

std::uint32_t smoke_cell_bytes(FluidPrecision precision) {
    return precision == FluidPrecision::full ? 16 : 8;
}

double SmokeStatus::total_mass() const {
    return mass_of(mass);
}
double SmokeStatus::fading_mass() const {
    return mass_of(fading);
}
double SmokeStatus::evicted_mass() const {
    return mass_of(evicted);
}

SmokeStatus SmokeStatus::read(std::span<const std::uint32_t> words) {
    return status_from<SmokeStatus>(words);
}

Diagnostics SmokeStatus::warnings() const {
    Diagnostics all;
    if (clamped_speeds > 0)
        all.push_back(held_to_reach(clamped_speeds, "decrease \"dt\" or the emitters' forces"));
    if (not_finite > 0) all.push_back(set_to_rest(not_finite));
    if (clamped_dye > 0)
        all.push_back(warning("fluid/dye-clamped",
                              fmt::format("a cell had more dye than it can hold {} times, and the "
                                          "rest was lost",
                                          clamped_dye),
                              "decrease the emitters' dye or \"initial_dye\", or increase "
                              "\"decay\""));
    return all;
}

std::vector<PortMember> SparseSmoke::members() const {
    const bool half = precision == FluidPrecision::half;
    const BufferElements cell(half ? ElementType::f16 : ElementType::f32, 4);
    std::vector<PortMember> all = bricks.members();
    for (PortMember& member : all)
        if (member.name == "status") member.name = "brick_status";
    all.push_back({"velocity", velocity, cell});
    all.push_back({"dye", dye, cell});
    all.push_back({"pressure", pressure, BufferElements::of<float>()});
    all.push_back({"status", status, BufferElements::of<SmokeStatus>()});
    return all;
}

std::uint32_t wall_bits(const FluidBoundary& b) {
    std::uint32_t bits = 0;
    std::uint32_t bit = 1;
    for (const FluidFace face : {b.left, b.right, b.bottom, b.top, b.back, b.front}) {
        if (face == FluidFace::wall) bits |= bit;
        bit <<= 1;
    }
    return bits;
}

void SparseFluid::describe(PassInfo<SparseFluid>& info) {
    info.summary("Simulates smoke in a large domain, storing only bricks with fluid")
        .details(
            "An execution is one step. It advects velocity and dye, applies emitters, "
            "buoyancy, drag and decay, solves for the pressure that removes the divergence, "
            "subtracts the pressure's gradient, and applies vorticity confinement. All values "
            "are at the centers of cells, as in the book; central differences do not see waves "
            "of two cells.\n\n"
            "A brick is active if it has emitters, if it has more than \"least_dye\" or "
            "\"least_speed\", if it is within \"guard\" cells of such bricks, or if fluid "
            "reaches it within \"ahead\" steps, across faces, edges and corners. Other bricks "
            "are freed, and their contents are lost: \"status\" counts the dye in such fading "
            "cells. Outside of active bricks velocity, dye and pressure are 0. The device "
            "decides all this without readback.\n\n"
            "If slots run out, new bricks are refused (sparse/pool-full), and fluid does not "
            "spread there. With \"bricks.when_full\" at \"evict\", the bricks with the least "
            "dye lose their slots instead. The weight of a brick is the sum over its cells of "
            "the largest of the dye's four numbers. A new brick has a quarter of the largest "
            "weight around it, and bricks of emitters come first; of equal weights the lower "
            "index stays. The contents of evicted bricks are lost: \"brick_status\" counts "
            "these bricks, \"status\" their dye. A new brick that is refused has no contents."
            "\n\n"
            "\"storage\" is only a choice of memory layout: the kernels are the same, and if "
            "all bricks are active, so is the result to the bit. Multigrid's levels have the "
            "same bricks with fewer cells. The domain's sides are \"wall\" or \"open\"; others "
            "are refused (fluid/sparse-side). Fluid crosses at most \"reach\" cells a step along "
            "each axis; faster fluid is slowed down and counted. A cell holds at most 65504 of "
            "each dye "
            "in half precision, 1e29 in full; what is more is lost and counted.\n\n"
            "Where several ranks have the domain in parts, each has the bricks of its part, a box "
            "of bricks. They exchange the bricks that touch the parts of others several times in a "
            "step, and results are those of one rank, to the bit. \"smoke\" then has the bricks of "
            "the rank, \"brick_status\" counts copies of others' bricks as well, and "
            "fluid/sparse_gather puts all together on rank 0. \"guard\" and what fluid crosses in "
            "\"ahead\" steps are together at most a brick (mpi/claims-too-far).")
        .source(
            "A. Dunn, \"Interactive Sparse Eulerian Fluid\", GPU Pro 7, 2016; R. Fedkiw, J. "
            "Stam and H. W. Jensen, \"Visual Simulation of Smoke\", SIGGRAPH 2001; A. Selle, R. "
            "Fedkiw, B. Kim, Y. Liu and J. Rossignac, \"An Unconditionally Stable MacCormack "
            "Method\", Journal of Scientific Computing 35, 2008")
        .complexity("O(cells of active bricks)")
        .cost([](const SparseFluid& pass, const Graph&) {
            const double cells = static_cast<double>(pass.bricks.shape.count());
            const double state = smoke_cell_bytes(pass.precision);
            // Advection 4 states, divergence and curl 2, evolution 4, a sweep 12 bytes.
            const double sweeps = pass.iterations * (pass.method == SmokePressure::jacobi ? 1 : 8);
            return Cost{.bytes = (10.0 * state + 12.0 * sweeps) * cells,
                        .operations = (400.0 + 10.0 * sweeps) * cells};
        });
    info.input_list("emitters", &SparseFluid::emitters, "the sources of smoke, at most 8");
    info.optional_input("initial_velocity", &SparseFluid::initial_velocity,
                        "velocity before the first step: one vec4 a cell of the domain, x "
                        "fastest")
        .elements<glm::vec4>();
    info.optional_input("initial_dye", &SparseFluid::initial_dye,
                        "dye before the first step: one vec4 a cell of the domain, x fastest")
        .elements<glm::vec4>();
    info.parameter("dims", &SparseFluid::dims, "size of the domain")
        .range(1, kMaxSparseSide)
        .unit("cells")
        .structural();
    info.group("bricks", &SparseFluid::parameters);
    info.group("expansion", &SparseFluid::expansion);
    info.group("boundary", &SparseFluid::boundary);
    info.parameter("precision", &SparseFluid::precision, "precision of stored velocity and dye")
        .structural();
    info.parameter("advection", &SparseFluid::advection,
                   "\"semi_lagrangian\" blurs; \"maccormack\" is second order")
        .structural();
    info.parameter("dt", &SparseFluid::dt, "length of the step")
        .range(1e-6, 1e6)
        .unit("time units");
    info.parameter("reach", &SparseFluid::reach,
                   "largest distance that fluid crosses in a step along an axis, at most a "
                   "brick")
        .range(1, 64)
        .unit("cells");
    info.parameter("method", &SparseFluid::method, "how the pressure is solved").structural();
    info.parameter(
            "sweeps", &SparseFluid::sweeps,
            "\"together\": all sweeps of \"jacobi\" in one dispatch, for bricks as 32 x 16 x "
            "16 or 16 x 32 x 8 that the domain is a multiple of; where groups cannot wait for "
            "each other, one group has all the work. \"apart\": a dispatch each. "
            "\"automatic\": together where groups can wait. The results are the same")
        .structural();
    info.parameter("iterations", &SparseFluid::iterations,
                   "sweeps of \"jacobi\", or cycles of \"multigrid\"")
        .range(1, 1000)
        .structural();
    info.parameter("levels", &SparseFluid::levels,
                   "multigrid: largest number of levels; bricks limit it to how often their "
                   "cells can be halved")
        .range(1, kSparseLevels)
        .structural();
    info.parameter("warm_start", &SparseFluid::warm_start,
                   "whether the solver starts from the previous step's pressure")
        .structural();
    info.parameter("confinement", &SparseFluid::confinement,
                   "vorticity confinement: strengthens vortices that advection damps")
        .range(0.0, 1e6)
        .structural();
    info.parameter("buoyancy", &SparseFluid::buoyancy,
                   "acceleration per unit of heat, the fourth number of the dye")
        .range(-1e6, 1e6)
        .unit("cells / time unit^2");
    info.parameter("drag", &SparseFluid::drag, "rate of the exponential decay of velocity")
        .range(0.0, 1e6)
        .unit("1 / time unit");
    info.parameter("decay", &SparseFluid::decay, "rate of the exponential decay of dye")
        .range(0.0, 1e6)
        .unit("1 / time unit");
    info.parameter("reset", &SparseFluid::reset, "starts again").structural();
    info.parameter("border", &SparseFluid::border,
                   "several ranks: most bricks that go to one other rank")
        .range(1, 1u << 20)
        .structural();
    const auto cell = [](const SparseFluid& pass) {
        const bool half = pass.precision == FluidPrecision::half;
        return BufferElements(half ? ElementType::f16 : ElementType::f32, 4);
    };
    info.output("smoke", &SparseFluid::smoke,
                "the smoke after the step, for passes that draw "
                "it");
    info.output("bricks", &SparseFluid::bricks, "the bricks of the smoke");
    info.output("velocity", &SparseFluid::velocity,
                "velocity: four numbers a cell of a slot, "
                "the last one 0")
        .elements_from("vec4, or four f16", cell);
    info.output("dye", &SparseFluid::dye,
                "dye: four numbers a cell of a slot, three colors or "
                "amounts, and heat")
        .elements_from("vec4, or four f16", cell);
    info.output("status", &SparseFluid::status, "counts of the step").elements<SmokeStatus>();
    info.output("brick_status", &SparseFluid::brick_status, "counts of the bricks")
        .elements<SparseStatus>();
}

void SparseFluid::build(Graph& graph) {
    const auto shape = sparse_shape(graph, parameters, dims, smoke_cell_bytes(precision));
    if (!shape || !has_valid_sides(graph, boundary) || !has_valid_reach(graph, *this) ||
        !has_valid_emitters(graph, *this) || !holds_initial(graph, *this))
        return;
    if (!build_smoke_step(graph, *this, *shape)) return;
    bricks = smoke.bricks;
    velocity = smoke.velocity;
    dye = smoke.dye;
    status = smoke.status;
}

TUFF_PASS(SparseFluid)

} // namespace tuff::passes
