#include "passes/fluid/sparse.hpp"

#include "passes/common/picture.hpp"
#include "passes/common/status.hpp"
#include "passes/common/warning.hpp"
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

std::uint32_t cell_bytes(FluidPrecision precision) {
    return precision == FluidPrecision::full ? 16 : 8;
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

/// The cells that an emitter reaches, and `guard` around them.
SparseBox box_of(const SmokeEmitter& emitter, std::uint32_t guard, glm::uvec3 dims) {
    const glm::vec3 far(dims);
    const glm::vec3 low = glm::clamp(emitter.position - emitter.extent(), -far, 2.0f * far);
    const glm::vec3 high = glm::clamp(emitter.position + emitter.extent(), -far, 2.0f * far);
    if (glm::any(glm::greaterThanEqual(low, far)) ||
        glm::any(glm::lessThanEqual(high, glm::vec3(0.0f))))
        return {};
    const auto wide = static_cast<int>(guard);
    return {.low = glm::ivec3(glm::floor(low)) - wide, .high = glm::ivec3(glm::ceil(high)) + wide};
}

void set_emitters(ComputeNodeBuilder& node, const SparseFluid& pass) {
    std::vector<glm::vec4> places, sizes, forces, dyes;
    Image texture;
    VoxelGrid voxels;
    for (const SmokeEmitter& emitter : pass.emitters) {
        places.emplace_back(emitter.position, static_cast<float>(emitter.shape));
        sizes.emplace_back(emitter.size, 0.0f);
        forces.emplace_back(emitter.force, 0.0f);
        dyes.push_back(emitter.dye);
        if (emitter.texture) texture = emitter.texture;
        if (emitter.voxels) voxels = emitter.voxels;
    }
    node.set("emitters", static_cast<std::uint32_t>(places.size()));
    node.set("emitter_places", std::span<const glm::vec4>(places));
    node.set("emitter_sizes", std::span<const glm::vec4>(sizes));
    node.set("emitter_forces", std::span<const glm::vec4>(forces));
    node.set("emitter_dyes", std::span<const glm::vec4>(dyes));
    node.set("voxel_dims", voxels.dims);
    node.read_optional("emitter_texture", texture);
    node.read_optional("emitter_voxels", voxels ? voxels.bits() : BufferView{});
}

/// A step as it is built.
class SparseStep {
  public:
    SparseStep(Graph& graph, SparseFluid& pass, const SparseShape& shape)
        : graph_(graph), pass_(pass), shape_(shape), half_(pass.precision == FluidPrecision::half),
          cells_(field_desc(shape, cell_bytes(pass.precision))),
          dense_(shape.storage == SparseStorage::dense) {}

    void build() {
        graph_.push_scope(kSparsePool);
        list_ = dense_ ? BufferHistory{} : graph_.history_buffer("list", list_desc(shape_));
        if (shape_.evicts) weights_ = graph_.history_buffer("weights", weights_desc(shape_));
        const BufferHistory velocity = graph_.history_buffer("velocity", cells_);
        const BufferHistory dye = graph_.history_buffer("dye", cells_);
        const BufferHistory pressure =
            pass_.warm_start ? graph_.history_buffer("pressure", field_desc(shape_, 4))
                             : BufferHistory{};
        graph_.pop_scope();
        State before{velocity.previous[0], dye.previous[0]};
        begin();
        if (starts()) before = started(before);
        const State moved = carry(before, dye.current);

        const bool confines = pass_.confinement > 0.0f;
        ComputeNodeBuilder node = graph_.compute(
            "fluid/sparse_divergence", {{"HALF", half_}, {"CURL", confines}}, "divergence");
        bind_stage(node);
        node.read("velocity", moved.velocity);
        const Buffer divergence =
            node.write("divergence", graph_.buffer("divergence", field_desc(shape_, 4)));
        const Buffer curl = confines ? node.write("curl", graph_.buffer("curl", cells_)) : Buffer{};
        const Buffer solved = sparse_pressure(
            graph_, pass_, bricks_, divergence,
            pass_.warm_start && !(pass_.reset && dense_) ? pressure.previous[0] : Buffer{},
            pass_.warm_start ? pressure.current : Buffer{});
        const SparseClaims next = evolve(moved, solved, curl, velocity.current);
        if (shape_.evicts) weigh(next, moved.dye);
        pass_.smoke.dye = moved.dye;
        pass_.smoke.pressure = solved;
        pass_.smoke.bricks = bricks_;
        pass_.smoke.precision = pass_.precision;
        pass_.smoke.walls = wall_bits(pass_.boundary);
    }

  private:
    struct State {
        Buffer velocity;
        Buffer dye;
    };

    bool starts() const { return pass_.initial_velocity || pass_.initial_dye; }

    /// A kernel over all active bricks.
    ComputeNodeBuilder stage(std::string_view name) {
        ComputeNodeBuilder node =
            graph_.compute(fmt::format("fluid/sparse_{}", name), {{"HALF", half_}}, name);
        bind_stage(node);
        return node;
    }
    void bind_stage(ComputeNodeBuilder& node) {
        bind_walk(node, bricks_);
        bind_neighbors(node, bricks_);
        node.specialize("kWalls", wall_bits(pass_.boundary));
    }

    /// Which bricks are active.
    void begin() {
        if (starts()) age_ = graph_.history_buffer("age", {.size = 4, .stride = 4});
        if (dense_) {
            bricks_ = dense_brick(graph_, shape_, pass_.reset);
            return;
        }
        SparseClaims claims = start_claims(graph_, shape_);
        if (shape_.evicts) claims = weighed_claims(graph_, claims);
        if (!pass_.reset)
            claims = adopt_bricks(graph_, claims, list_.previous[0],
                                  shape_.evicts ? weights_.previous[0] : Buffer{});
        const auto claim_emitters = [&](std::uint32_t guard, std::uint32_t weight) {
            std::vector<SparseBox> boxes;
            for (const SmokeEmitter& emitter : pass_.emitters)
                boxes.push_back(box_of(emitter, guard, shape_.dims));
            claims = claim_boxes(graph_, claims, boxes, weight);
        };
        // Where slots run out, bricks with smoke get them before those around.
        claim_emitters(0, kMaxSparseWeight);
        if (starts()) {
            ComputeNodeBuilder node = graph_.compute("fluid/sparse_claim_initial",
                                                     weight_variant(claims), "claim_initial");
            bind_claims(node, claims);
            bind_initial(node);
            dispatch_each(node, shape_.bricks(), 1);
        }
        if (!pass_.emitters.empty() && shape_.storage == SparseStorage::atlas && !shape_.evicts)
            claims = claimed_first(graph_, claims);
        claim_emitters(pass_.expansion.guard, 0);
        bricks_ = allocate_bricks(graph_, claims);
    }

    void bind_initial(ComputeNodeBuilder& node) {
        node.read("age", age_.previous[0]);
        node.set("reset", std::uint32_t(pass_.reset));
        node.read_optional("initial_velocity", pass_.initial_velocity);
        node.read_optional("initial_dye", pass_.initial_dye);
    }

    /// What is before the first step, or before any other.
    State started(const State& before) {
        ComputeNodeBuilder node = graph_.compute("fluid/sparse_begin", {{"HALF", half_}}, "begin");
        bind_walk(node, bricks_);
        bind_initial(node);
        node.read("velocity_before", before.velocity);
        node.read("dye_before", before.dye);
        (void)node.write("now", age_.current);
        return {node.write("velocity_begun", graph_.buffer("velocity", cells_)),
                node.write("dye_begun", graph_.buffer("dye", cells_))};
    }

    void bind_before(ComputeNodeBuilder& node, const State& before) {
        node.read("velocity_before", before.velocity);
        node.read("dye_before", before.dye);
        node.specialize("kKept", std::uint32_t(!starts()));
        node.set("dt", pass_.dt);
        node.set("kept_velocity", std::exp(-pass_.drag * pass_.dt));
        node.set("kept_dye", glm::exp(-pass_.decay * pass_.dt));
        node.set("buoyancy", pass_.buoyancy);
        set_emitters(node, pass_);
    }

    State carry(const State& before, Buffer dye) {
        const bool corrected = pass_.advection == AdvectionMethod::maccormack;
        ComputeNodeBuilder forth = stage("advect");
        bind_before(forth, before);
        forth.specialize("kFinish", std::uint32_t(!corrected));
        State moved{forth.write("velocity_after", graph_.buffer("moved", cells_)),
                    forth.write("dye_after", corrected ? graph_.buffer("forth", cells_) : dye)};
        if (!corrected) return moved;
        ComputeNodeBuilder back = stage("correct");
        bind_before(back, before);
        back.read("velocity_forth", moved.velocity);
        back.read("dye_forth", moved.dye);
        return {back.write("velocity_after", graph_.buffer("corrected", cells_)),
                back.write("dye_after", dye)};
    }

    /// What the bricks of the next step weigh: their dye.
    void weigh(const SparseClaims& next, Buffer dye) {
        ComputeNodeBuilder sum =
            graph_.compute("fluid/sparse_content", {{"HALF", half_}}, "content");
        set_shape(sum, shape_);
        sum.read("brick_list", bricks_.list);
        sum.read("dye", dye);
        const Buffer content = sum.write(
            "content", graph_.buffer("content", {.size = 4ull * shape_.capacity, .stride = 4}));
        sum.dispatch_indirect(bricks_.groups, kBrickGroupsOffset);

        ComputeNodeBuilder node = graph_.compute("fluid/sparse_weigh", "weigh");
        bind_map(node, bricks_);
        node.read("claim_list", next.list);
        node.read("content", content);
        (void)node.write("weights", weights_.current);
        node.dispatch_each(shape_.room());
    }

    /// The claims of the next step.
    SparseClaims evolve(const State& moved, Buffer pressure, Buffer curl, Buffer velocity) {
        ComputeNodeBuilder node = stage("evolve");
        node.match<SmokeStatus>("status");
        node.read("velocity", moved.velocity);
        node.read("dye", moved.dye);
        node.read("pressure", pressure);
        node.read_optional("curl", curl);
        node.read("brick_map", bricks_.map);
        node.specialize("kClaims", std::uint32_t(!dense_));
        node.set("confinement", pass_.confinement * pass_.dt);
        node.set("fastest", static_cast<float>(pass_.reach) / pass_.dt);
        node.set("ahead", pass_.expansion.ahead * pass_.dt);
        node.set("guard", static_cast<std::int32_t>(pass_.expansion.guard));
        node.set("least_speed", pass_.expansion.least_speed);
        node.set("least_dye", pass_.expansion.least_dye);
        SparseClaims next = start_claims(graph_, shape_, list_.current);
        bind_claims(node, next);
        pass_.smoke.velocity = node.write("result", velocity);
        pass_.smoke.status = node.write(
            "status",
            graph_.fill(graph_.buffer("status", {.size = sizeof(SmokeStatus), .stride = 4}), 0,
                        "no_events"));
        graph_.status<SmokeStatus>(pass_.smoke.status);
        return next;
    }

    Graph& graph_;
    SparseFluid& pass_;
    SparseShape shape_;
    bool half_;
    BufferDesc cells_;
    bool dense_;
    BufferHistory list_;
    BufferHistory weights_;
    BufferHistory age_;
    SparseBricks bricks_;
};

} // namespace

double SmokeStatus::total_mass() const {
    return std::ldexp(static_cast<double>(std::uint64_t{mass[1]} << 32 | mass[0]), -14);
}

SmokeStatus SmokeStatus::read(std::span<const std::uint32_t> words) {
    return status_from<SmokeStatus>(words);
}

Diagnostics SmokeStatus::warnings() const {
    Diagnostics all;
    if (clamped_speeds > 0)
        all.push_back(warning("fluid/speed-clamped",
                              fmt::format("fluid would have crossed more than \"reach\" cells "
                                          "in a step {} times",
                                          clamped_speeds),
                              "decrease \"dt\" or the emitters' forces"));
    if (not_finite > 0) all.push_back(set_to_rest(not_finite));
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
            "index stays. The contents of evicted bricks are lost, and \"brick_status\" counts "
            "them.\n\n"
            "\"storage\" is only a choice of memory layout: the kernels are the same, and if "
            "all bricks are active, so is the result to the bit. Multigrid's levels have the "
            "same bricks with fewer cells. Fluid crosses at most \"reach\" cells a step along "
            "each axis; faster fluid is slowed down and counted.")
        .source(
            "A. Dunn, \"Interactive Sparse Eulerian Fluid\", GPU Pro 7, 2016; R. Fedkiw, J. "
            "Stam and H. W. Jensen, \"Visual Simulation of Smoke\", SIGGRAPH 2001; A. Selle, R. "
            "Fedkiw, B. Kim, Y. Liu and J. Rossignac, \"An Unconditionally Stable MacCormack "
            "Method\", Journal of Scientific Computing 35, 2008")
        .complexity("O(cells of active bricks)")
        .cost([](const SparseFluid& pass, const Graph&) {
            const double cells = static_cast<double>(pass.bricks.shape.count());
            const double state = cell_bytes(pass.precision);
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
    const auto shape = sparse_shape(graph, parameters, dims, cell_bytes(precision));
    if (!shape || !has_valid_sides(graph, boundary) || !has_valid_reach(graph, *this) ||
        !has_valid_emitters(graph, *this) || !holds_initial(graph, *this))
        return;
    SparseStep(graph, *this, *shape).build();
    bricks = smoke.bricks;
    velocity = smoke.velocity;
    dye = smoke.dye;
    status = smoke.status;
    brick_status = bricks.status;
}

TUFF_PASS(SparseFluid)

} // namespace tuff::passes
