#include "passes/fluid/sparse_step.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace tuff::passes {
namespace {

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

SparseBox common(const SparseBox& a, const SparseBox& b) {
    return {glm::max(a.low, b.low), glm::min(a.high, b.high)};
}
/// The cells of a box of bricks.
SparseBox cells_of_part(const SparseShape& shape, const SparseBox& bricks) {
    const glm::ivec3 brick(shape.brick);
    return {bricks.low * brick, bricks.high * brick};
}

/// The largest number of 16 bits, as in shaders/fluid/sparse_events.glsl.
constexpr float kMostHalf = 65504.0f;

/// A step as it is built.
class SparseStep {
  public:
    SparseStep(Graph& graph, SparseFluid& pass, const BrickBorder& border)
        : graph_(graph), pass_(pass), shape_(border.shape), copies_(graph, border),
          half_(pass.precision == FluidPrecision::half),
          cells_(field_desc(shape_, smoke_cell_bytes(pass.precision))),
          dense_(shape_.storage == SparseStorage::dense) {}

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
        if (pass_.warm_start && !(pass_.reset && dense_)) before.pressure = pressure.previous[0];
        status_ = graph_.fill(graph_.buffer("status", {.size = sizeof(SmokeStatus), .stride = 4}),
                              0, "no_events");
        begin();
        if (shape_.evicts && !pass_.reset) count_evicted(dye.previous[0]);
        if (writes_start()) before = started(before);
        const State moved = carry(before, dye.current);

        const bool confines = pass_.confinement > 0.0f;
        Buffer memory = sweeps_memory(graph_, pass_, copies_, shape_);
        ComputeNodeBuilder node = graph_.compute(
            "fluid/sparse_divergence", {{"HALF", half_}, {"CURL", confines}}, "divergence");
        node.specialize("kClears", std::uint32_t(bool(memory)));
        if (memory)
            memory = node.write("sweeps", memory);
        else
            (void)node.write("sweeps", graph_.buffer("no_sweeps", {.size = 16, .stride = 16}));
        bind_columns(node, bricks_.all, false);
        bind_beside(node);
        node.read("velocity", moved.velocity);
        // Cells of copies that have all their neighbours.
        const std::uint32_t layers = copies_.layers(shape_) - 1;
        const SmokeField divergence{
            node.write("divergence", graph_.buffer("divergence", field_desc(shape_, 4))), layers};
        SmokeField curl;
        if (confines)
            curl = {node.write("curl", graph_.buffer("curl", field_desc(shape_, 4))), layers};
        const Buffer solved =
            sparse_pressure(graph_, pass_, copies_, bricks_.all, divergence, before.pressure,
                            pass_.warm_start ? pressure.current : Buffer{}, memory);
        if (confines) curl = copies_.with_layers(curl, 1, bricks_.all);
        const SparseClaims next = evolve(moved, solved, curl.buffer, velocity.current);
        if (shape_.evicts) weigh(next, moved.dye);
        pass_.smoke.dye = moved.dye;
        pass_.smoke.pressure = solved;
        pass_.smoke.bricks = bricks_.own;
        pass_.smoke.precision = pass_.precision;
        pass_.smoke.walls = wall_bits(pass_.boundary);
        pass_.brick_status = bricks_.all.status;
    }

  private:
    struct State {
        Buffer velocity;
        Buffer dye;
        Buffer pressure{}; ///< before a step, where it starts from the last one
        Buffer runs{};     ///< how much dye there is: see shaders/fluid/sparse_fields.glsl
    };

    bool starts() const { return pass_.initial_velocity || pass_.initial_dye; }
    /// Whether the state before the step is written for all active bricks, also for new ones.
    bool writes_start() const { return starts() || copies_.travel(); }
    std::uint32_t cell_words() const { return smoke_cell_bytes(pass_.precision) / 4; }
    Buffer filled(Buffer field) { return copies_.filled(field, bricks_.all, cell_words()); }

    void bind_beside(ComputeNodeBuilder& node) {
        bind_neighbors(node, bricks_.all);
        node.specialize("kWalls", wall_bits(pass_.boundary));
    }

    /// Which bricks are active.
    void begin() {
        if (writes_start()) age_ = graph_.history_buffer("age", {.size = 4, .stride = 4});
        if (dense_) {
            bricks_.all = bricks_.own = dense_brick(graph_, shape_, pass_.reset);
            return;
        }
        const SparseBox& part = copies_.border().part;
        const auto boxes_of = [&](std::uint32_t guard) {
            std::vector<SparseBox> boxes;
            for (const SmokeEmitter& emitter : pass_.emitters)
                boxes.push_back(
                    common(box_of(emitter, guard, shape_.dims), cells_of_part(shape_, part)));
            return boxes;
        };
        const std::vector<SparseBox> around = boxes_of(pass_.expansion.guard);
        if (is_few(shape_) && !starts() && !copies_.travel()) {
            FewBricks few = give_few(graph_, shape_, pass_.reset ? Buffer{} : list_.previous[0],
                                     list_.current, boxes_of(0), around);
            bricks_.all = bricks_.own = few.bricks;
            next_ = std::move(few.next);
            return;
        }
        SparseClaims claims = start_claims(graph_, shape_);
        if (shape_.evicts) claims = weighed_claims(graph_, claims);
        if (!pass_.reset)
            claims = adopt_bricks(graph_, claims, list_.previous[0],
                                  shape_.evicts ? weights_.previous[0] : Buffer{});
        // Where slots run out, bricks with smoke get them before those around, but copies of
        // others' bricks after both.
        claims = copies_.travel()
                     ? claim_boxes(graph_, claims, around)
                     : claim_boxes(graph_, claims, boxes_of(0), kMaxSparseWeight, around);
        if (starts()) {
            ComputeNodeBuilder node = graph_.compute("fluid/sparse_claim_initial",
                                                     weight_variant(claims), "claim_initial");
            bind_claims(node, claims);
            bind_initial(node);
            node.set("low", part.low);
            node.set("high", part.high);
            dispatch_each(node, shape_.bricks(), 1);
        }
        bricks_ = copies_.allocated(claims);
    }

    void bind_initial(ComputeNodeBuilder& node) {
        node.read("age", age_.previous[0]);
        node.set("reset", std::uint32_t(pass_.reset));
        node.read_optional("initial_velocity", pass_.initial_velocity);
        node.read_optional("initial_dye", pass_.initial_dye);
    }

    /// How much dye is lost with bricks that lose their slots.
    void count_evicted(Buffer dye) {
        ComputeNodeBuilder node = graph_.compute("fluid/sparse_evicted", {{"HALF", half_}}, "lost");
        bind_map(node, bricks_.all);
        node.read("list_before", list_.previous[0]);
        node.read("dye_before", dye);
        status_ = node.write("status", status_);
        node.dispatch_each(shape_.room());
    }

    /// What is before the first step, or before any other.
    State started(const State& before) {
        const bool presses = before.pressure && copies_.travel();
        ComputeNodeBuilder node =
            graph_.compute("fluid/sparse_begin", {{"HALF", half_}, {"PRESSURE", presses}}, "begin");
        bind_walk(node, bricks_.own);
        bind_initial(node);
        node.read("velocity_before", before.velocity);
        node.read("dye_before", before.dye);
        status_ = node.write("status", status_);
        // Not by the kernel, which does not run where there are no bricks.
        (void)graph_.fill(age_.current, 1, "aged");
        State begun{node.write("velocity_begun", graph_.buffer("velocity", cells_)),
                    node.write("dye_begun", graph_.buffer("dye", cells_)), before.pressure};
        if (presses) {
            node.read("pressure_before", before.pressure);
            begun.pressure =
                node.write("pressure_begun", graph_.buffer("pressure", field_desc(shape_, 4)));
        }
        begun.velocity = filled(begun.velocity);
        begun.dye = filled(begun.dye);
        return begun;
    }

    void bind_before(ComputeNodeBuilder& node, const State& before) {
        bind_walk(node, bricks_.own);
        node.read("brick_map", bricks_.all.map);
        node.specialize("kWalls", wall_bits(pass_.boundary));
        node.read("velocity_before", before.velocity);
        node.read("dye_before", before.dye);
        node.specialize("kKept", std::uint32_t(!writes_start()));
        node.set("dt", pass_.dt);
    }
    /// What cells gain and lose, and what is known of their dye then.
    Buffer bind_sources(ComputeNodeBuilder& node) {
        node.set("kept_velocity", std::exp(-pass_.drag * pass_.dt));
        node.set("kept_dye", glm::exp(-pass_.decay * pass_.dt));
        node.set("buoyancy", pass_.dt * pass_.buoyancy);
        node.set("least_dye", pass_.expansion.least_dye);
        set_emitters(node, pass_);
        status_ = node.write("status", status_);
        const std::uint64_t runs = std::uint64_t{8} * div_round_up(shape_.cells(), 256u);
        return node.write("written_runs",
                          graph_.buffer("runs", {.size = 8 * runs * shape_.capacity, .stride = 8}));
    }

    State carry(const State& before, Buffer dye) {
        const bool corrected = pass_.advection == AdvectionMethod::maccormack;
        ComputeNodeBuilder forth = graph_.compute(
            "fluid/sparse_advect", {{"HALF", half_}, {"FINISH", !corrected}}, "advect");
        bind_before(forth, before);
        State moved{forth.write("velocity_after", graph_.buffer("moved", cells_)),
                    forth.write("dye_after", corrected ? graph_.buffer("forth", cells_) : dye)};
        moved.velocity = filled(moved.velocity);
        if (!corrected) {
            moved.runs = bind_sources(forth);
            return moved;
        }
        moved.dye = filled(moved.dye);
        ComputeNodeBuilder back =
            graph_.compute("fluid/sparse_correct", {{"HALF", half_}}, "correct");
        bind_before(back, before);
        back.read("velocity_forth", moved.velocity);
        back.read("dye_forth", moved.dye);
        State result{back.write("velocity_after", graph_.buffer("corrected", cells_)),
                     back.write("dye_after", dye)};
        result.velocity = filled(result.velocity);
        result.runs = bind_sources(back);
        return result;
    }

    /// What the bricks of the next step weigh: their dye.
    void weigh(const SparseClaims& next, Buffer dye) {
        ComputeNodeBuilder sum =
            graph_.compute("fluid/sparse_content", {{"HALF", half_}}, "content");
        set_shape(sum, shape_);
        sum.read("brick_list", bricks_.all.list);
        sum.read("dye", dye);
        const Buffer content = sum.write(
            "content", graph_.buffer("content", {.size = 4ull * shape_.capacity, .stride = 4}));
        sum.dispatch_indirect(bricks_.all.groups, kBrickGroupsOffset);

        ComputeNodeBuilder node = graph_.compute("fluid/sparse_weigh", "weigh");
        bind_map(node, bricks_.all);
        node.read("claim_list", next.list);
        node.read("content", content);
        (void)node.write("weights", weights_.current);
        node.dispatch_each(shape_.room());
    }

    /// The claims of the next step.
    SparseClaims evolve(const State& moved, Buffer pressure, Buffer curl, Buffer velocity) {
        ComputeNodeBuilder node =
            graph_.compute("fluid/sparse_evolve", {{"HALF", half_}}, "evolve");
        bind_columns(node, bricks_.own, false);
        bind_beside(node);
        node.read("velocity", moved.velocity);
        node.read("runs", moved.runs);
        node.read("pressure", pressure);
        node.read_optional("curl", curl);
        node.read("brick_map", bricks_.all.map);
        node.specialize("kClaims", std::uint32_t(!dense_));
        node.set("confinement", pass_.confinement * pass_.dt);
        const float fastest = static_cast<float>(pass_.reach) / pass_.dt;
        node.set("fastest", half_ ? std::min(fastest, kMostHalf) : fastest);
        node.set("ahead", pass_.expansion.ahead * pass_.dt);
        node.set("guard", static_cast<std::int32_t>(pass_.expansion.guard));
        node.set("least_speed", pass_.expansion.least_speed);
        SparseClaims next = next_ ? *next_ : start_claims(graph_, shape_, list_.current);
        bind_claims(node, next);
        pass_.smoke.velocity = node.write("result", velocity);
        const std::uint64_t groups = std::uint64_t{column_groups(shape_)} * shape_.capacity;
        const Buffer parts =
            node.write("status_parts", graph_.buffer("parts", {.size = 12 * groups, .stride = 12}));
        ComputeNodeBuilder join = graph_.compute("fluid/sparse_status", "status");
        set_columns(join, bricks_.own);
        join.match<SmokeStatus>("status");
        join.read("status_parts", parts);
        pass_.smoke.status = join.write("status", status_);
        join.dispatch_each(static_cast<std::uint32_t>(groups));
        graph_.status<SmokeStatus>(pass_.smoke.status);
        if (!dense_) next = copies_.sent(next, bricks_.all);
        return next;
    }

    Graph& graph_;
    SparseFluid& pass_;
    SparseShape shape_;
    SmokeCopies copies_;
    bool half_;
    BufferDesc cells_;
    bool dense_;
    BufferHistory list_;
    BufferHistory weights_;
    BufferHistory age_;
    Buffer status_;
    SmokeBricks bricks_;
    std::optional<SparseClaims> next_; ///< the claims of the next step, where they are begun
};

/// How far fluid claims bricks must not be farther than the bricks that ranks exchange.
bool claims_near_bricks(Graph& graph, const SparseFluid& pass, const SparseShape& shape) {
    const SmokeExpansion& expansion = pass.expansion;
    // As the kernel computes it.
    const float fastest = static_cast<float>(pass.reach) / pass.dt;
    const float ahead = std::ceil(expansion.ahead * pass.dt * fastest);
    const glm::uvec3 brick = shape.brick;
    const std::uint32_t side = std::min({brick.x, brick.y, brick.z});
    if (ahead + static_cast<float>(expansion.guard) <= static_cast<float>(side)) return true;
    graph.error("mpi/claims-too-far",
                fmt::format("fluid claims bricks {:g} cells away, but ranks exchange bricks of {} "
                            "cells that are next to each other",
                            ahead + static_cast<float>(expansion.guard), side),
                "decrease \"expansion.guard\", \"expansion.ahead\" or \"reach\", or choose larger "
                "bricks");
    return false;
}

} // namespace

bool build_smoke_step(Graph& graph, SparseFluid& pass, const SparseShape& shape) {
    const auto border = halo_border(graph, shape, pass.border);
    if (!border) return false;
    if (graph.ranks().size() > 1) {
        if (shape.evicts) {
            graph.error("mpi/evicting-store",
                        "bricks that lose their slots to others are chosen among those of all "
                        "ranks, which no rank knows",
                        "set \"bricks.when_full\" to \"refuse\"");
            return false;
        }
        if (!claims_near_bricks(graph, pass, shape)) return false;
    }
    SparseStep(graph, pass, *border).build();
    return bool(pass.smoke.velocity);
}

} // namespace tuff::passes
