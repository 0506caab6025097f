#include "apps/bench/checks.hpp"
#include "passes/sparse/bricks.hpp"

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <vector>

/// Bricks for points: so many bricks of 8 x 8 x 8 cells as the case has elements.
namespace tuff::bench {
namespace {

using passes::SparseBricksPass;
using passes::SparseStatus;
using passes::SparseWhenFull;

/// A brick in eight of a cube of bricks, by a point each; with `evict` half of them have slots.
void claim(CaseBuilder& c, bool hashed, bool evict) {
    const auto count = static_cast<std::uint32_t>(c.size());
    std::uint32_t side = 1;
    while (std::uint64_t{side} * side * side < count)
        ++side;
    const auto points = c.input<glm::vec4>("points", count, [side](std::uint64_t i) {
        const glm::uvec3 brick(i % side, i / side % side, i / side / side);
        return glm::vec4(glm::vec3(16u * brick) + 3.5f, 0.0f);
    });
    const glm::uvec3 dims = hashed ? glm::uvec3(1u << 13) : glm::uvec3(16 * side);
    const std::uint32_t capacity = evict ? count / 2 : count;
    const SparseBricksPass pass = c.add(SparseBricksPass{
        .points = points.buffer,
        .dims = dims,
        .bricks_parameters = {.capacity = capacity,
                              .when_full = evict ? SparseWhenFull::evict : SparseWhenFull::refuse},
        .keep = false});
    c.output("status", pass.status);
    c.output("list", pass.bricks.list);
    const glm::uvec3 grid = pass.bricks.shape.grid();
    c.check([=](CaseResults& results) -> Verdict {
        const auto status = SparseStatus::read(results.read<std::uint32_t>("status"));
        if (status.active_bricks != capacity || status.refused != count - capacity)
            return std::unexpected(fmt::format("{} bricks are active", status.active_bricks));
        // All weigh the same: the lower numbers are chosen, which are the first points.
        const std::uint32_t last = capacity - 1;
        const glm::uvec3 brick =
            2u * glm::uvec3(last % side, last / side % side, last / side / side);
        const std::uint32_t most = (brick.z * grid.y + brick.y) * grid.x + brick.x;
        const std::vector<std::uint32_t> list = results.read<std::uint32_t>("list");
        for (std::size_t i = 0; i < capacity; ++i)
            if (list[4 + 2 * i] > most)
                return std::unexpected(fmt::format("brick {} has a slot", list[4 + 2 * i]));
        return {};
    });
}

} // namespace

void add_sparse_cases(CaseList& cases) {
    for (const bool evict : {false, true})
        for (const bool hashed : {false, true})
            cases.add({.pass = std::string(SparseBricksPass::kName),
                       .name = fmt::format("claim and {}{}", evict ? "evict" : "allocate",
                                           hashed ? " hashed" : ""),
                       .build = [=](CaseBuilder& c) { claim(c, hashed, evict); },
                       .least = 64,
                       .most = std::uint64_t{1} << 20,
                       .most_on_software = std::uint64_t{1} << 14});
}

} // namespace tuff::bench
