#include "passes/fluid/sparse_step.hpp"

#include <algorithm>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kFromZero = 1;
constexpr std::uint32_t kFromBefore = 2;
constexpr float kSmoothing = 6.0f / 7.0f;     // of a sweep on a level: damps short waves best
constexpr std::uint32_t kSmoothings = 2;      // before the correction, and after it
constexpr std::uint32_t kPatience = 64;       // questions whether all groups have begun: 25 us
constexpr std::uint32_t kCoarsestSweeps = 24; // of the last level, with few cells

/// What the pressure beyond an open side is, as a share of that of the cell before it: on the line
/// to the 0 in the middle of the first cell of the finest level there.
float ghost_of(const SparseShape& shape) {
    const auto side = static_cast<float>(1u << shape.level);
    return -(side - 1.0f) / (side + 1.0f);
}

/// Solves on bricks of one size, and on coarser ones.
class SparseSolve {
  public:
    SparseSolve(Graph& graph, const SparseFluid& pass, const SmokeCopies& copies)
        : graph_(graph), pass_(pass), copies_(copies) {}

    Buffer field(const SparseBricks& bricks, std::string_view name) {
        return graph_.buffer(name, field_desc(bricks.shape, 4));
    }

    SmokeField sweep(const SparseBricks& bricks, const SmokeField& divergence, SmokeField pressure,
                     std::uint32_t start, bool damped, Buffer target = {}) {
        if (start != kFromZero) pressure = copies_.with_layers(pressure, 1, bricks);
        const bool wide = has_wide_rows(bricks.shape);
        ComputeNodeBuilder node = graph_.compute("fluid/sparse_jacobi", {{"WIDE", wide}}, "sweep");
        bind_columns(node, bricks, wide);
        bind_beside(node, bricks);
        // Where it starts from 0 nothing is read, but something has to be bound.
        const Buffer from = start == kFromZero ? divergence.buffer : pressure.buffer;
        node.read("pressure", from);
        node.read("pressure_cells", from);
        node.read("divergence", divergence.buffer);
        node.specialize("kStart", start);
        node.specialize("kDamped", std::uint32_t(damped));
        node.set("omega", kSmoothing);
        node.set("ghost", ghost_of(bricks.shape));
        return {node.write("result", target ? target : field(bricks, "pressure")),
                start == kFromZero ? divergence.layers
                                   : std::min(pressure.layers - 1, divergence.layers)};
    }

    /// All sweeps from `pressure`, in one dispatch.
    SmokeField sweeps(const SparseBricks& bricks, const SmokeField& divergence, Buffer before,
                      Buffer target, Buffer memory) {
        ComputeNodeBuilder node = graph_.compute("fluid/sparse_sweeps", "sweeps");
        set_shape(node, bricks.shape);
        node.read("brick_list", bricks.list);
        bind_beside(node, bricks);
        node.read("before", before ? before : divergence.buffer);
        node.read("before_cells", before ? before : divergence.buffer);
        node.read("divergence", divergence.buffer);
        node.specialize("kStart", before ? kFromBefore : kFromZero);
        const bool waits = graph_.target().forward_progress;
        node.specialize("kPatience", waits ? kPatience : 0u);
        node.set("sweeps", pass_.iterations);
        node.set("capacity", bricks.shape.capacity);
        (void)node.write("work", memory);
        // A group that is alone has itself swept whatever it would wait for.
        if (waits)
            node.dispatch_indirect(bricks.groups, kBrickGroupsOffset);
        else
            node.dispatch(1);
        return {node.write("result", target ? target : field(bricks, "pressure")),
                divergence.layers};
    }

    /// One V-cycle from `pressure`; not connected: from 0.
    SmokeField cycle(const SparseBricks& bricks, const SmokeField& divergence, SmokeField pressure,
                     std::uint32_t start, Buffer target = {}) {
        const bool last = bricks.shape.level + 1 >= pass_.levels || !can_coarsen(bricks.shape);
        const std::uint32_t before = last ? kCoarsestSweeps : kSmoothings;
        for (std::uint32_t i = 0; i < before; ++i) {
            const bool writes_target = last && i + 1 == before;
            pressure =
                sweep(bricks, divergence, pressure, start, true, writes_target ? target : Buffer{});
            start = 0;
        }
        if (last) return pressure;
        const SparseBricks coarse = coarser(bricks);
        pressure = copies_.with_layers(pressure, 1, bricks);
        const SmokeField correction =
            cycle(coarse, restricted(bricks, coarse, divergence, pressure), {}, kFromZero);
        pressure = prolonged(bricks, coarse, correction, pressure);
        for (std::uint32_t i = 0; i < kSmoothings; ++i)
            pressure = sweep(bricks, divergence, pressure, 0, true,
                             i + 1 == kSmoothings ? target : Buffer{});
        return pressure;
    }

  private:
    static bool can_coarsen(const SparseShape& shape) {
        const bool dense = shape.storage == SparseStorage::dense;
        for (int axis = 0; axis < 3; ++axis)
            if (shape.brick[axis] < 2 || (!dense && shape.brick[axis] % 2 != 0)) return false;
        return true;
    }

    void set_up(ComputeNodeBuilder& node, const SparseBricks& bricks) {
        bind_walk(node, bricks);
        bind_beside(node, bricks);
    }
    void bind_beside(ComputeNodeBuilder& node, const SparseBricks& bricks) {
        bind_neighbors(node, bricks);
        node.specialize("kWalls", wall_bits(pass_.boundary));
    }

    SmokeField restricted(const SparseBricks& fine, const SparseBricks& coarse,
                          const SmokeField& divergence, const SmokeField& pressure) {
        ComputeNodeBuilder left = graph_.compute("fluid/sparse_residual", "residual");
        set_up(left, fine);
        left.set("ghost", ghost_of(fine.shape));
        left.read("pressure", pressure.buffer);
        left.read("divergence", divergence.buffer);
        const Buffer residual = left.write("result", field(fine, "residual"));

        ComputeNodeBuilder node = graph_.compute("fluid/sparse_restrict", "restrict");
        bind_walk(node, coarse);
        const glm::ivec3 brick(fine.shape.brick);
        const glm::ivec3 domain(fine.shape.dims);
        node.specialize("kFineX", brick.x);
        node.specialize("kFineY", brick.y);
        node.specialize("kFineZ", brick.z);
        node.specialize("kFineDomainX", domain.x);
        node.specialize("kFineDomainY", domain.y);
        node.specialize("kFineDomainZ", domain.z);
        node.read("fine", residual);
        const SmokeField result{node.write("result", field(coarse, "coarse_divergence")), 0};
        // Once, so that the sweeps there need their copies of the pressure less often.
        return copies_.with_layers(result, copies_.layers(coarse.shape), coarse);
    }

    SmokeField prolonged(const SparseBricks& fine, const SparseBricks& coarse,
                         SmokeField correction, const SmokeField& pressure) {
        correction = copies_.with_layers(correction, 1, coarse);
        ComputeNodeBuilder node = graph_.compute("fluid/sparse_prolong", "prolong");
        set_up(node, fine);
        node.set("ghost", ghost_of(coarse.shape));
        node.read("coarse", correction.buffer);
        node.read("pressure", pressure.buffer);
        // Between coarse cells, which may be one farther away.
        return {node.write("result", field(fine, "pressure")),
                std::min(pressure.layers, 2 * (correction.layers - 1))};
    }

    Graph& graph_;
    const SparseFluid& pass_;
    const SmokeCopies& copies_;
};

} // namespace

Buffer sweeps_memory(Graph& graph, const SparseFluid& pass, const SmokeCopies& copies,
                     const SparseShape& shape) {
    const DeviceCaps& device = graph.target();
    const bool wanted = pass.sweeps == SmokeSweeps::together ||
                        (pass.sweeps == SmokeSweeps::automatic && device.forward_progress);
    if (!wanted || !device.unbounded_loops || pass.method != SmokePressure::jacobi ||
        pass.iterations < 2 || copies.travel() || shape.level > 0)
        return {};
    // Groups of 128 invocations have a quad of each layer, up to 16 layers, and one quad or four
    // cells of what is beside four layers.
    const glm::uvec3 brick = shape.brick;
    if (brick.x % 4 != 0 || brick.y % 4 != 0 || brick.z % 4 != 0 || brick.z > 16 ||
        brick.x / 4 * brick.y != 128 || brick.x + brick.y > 64 ||
        shape.dims % brick != glm::uvec3(0))
        return {};
    const std::uint32_t shared = 16 * 4 * (brick.y + 2) * (brick.x / 4 + 1);
    const std::uint64_t quads =
        1 + std::uint64_t{shape.capacity} * (1 + 2 * 128 * brick.z + 4 * (brick.y * brick.z / 4));
    if (shared + 64 > device.max_shared_bytes || 16 * quads > device.max_storage_buffer_bytes)
        return {};
    return graph.buffer("sweeps", {.size = 16 * quads, .stride = 16});
}

Buffer sparse_pressure(Graph& graph, const SparseFluid& pass, const SmokeCopies& copies,
                       const SparseBricks& bricks, const SmokeField& divergence, Buffer before,
                       Buffer target, Buffer memory) {
    SparseSolve solve(graph, pass, copies);
    if (memory) return solve.sweeps(bricks, divergence, before, target, memory).buffer;
    SmokeField pressure{before, 0};
    // What ranks exchange has the bricks that were not there as well, with 0.
    std::uint32_t start = !before ? kFromZero : copies.travel() ? 0 : kFromBefore;
    for (std::uint32_t i = 0; i < pass.iterations; ++i) {
        const Buffer result = i + 1 == pass.iterations ? target : Buffer{};
        pressure = pass.method == SmokePressure::jacobi
                       ? solve.sweep(bricks, divergence, pressure, start, false, result)
                       : solve.cycle(bricks, divergence, pressure, start, result);
        start = 0;
    }
    return copies.with_layers(pressure, 1, bricks).buffer;
}

} // namespace tuff::passes
