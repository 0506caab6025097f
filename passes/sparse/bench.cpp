#include "apps/bench/checks.hpp"
#include "passes/sparse/bricks.hpp"

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

/// Bricks for points: so many bricks of 8 x 8 x 8 cells as the case has elements.
namespace tuff::bench {
namespace {

using passes::SparseBricksPass;
using passes::SparseStatus;

/// A brick in eight of a cube of bricks, by a point each.
void claim(CaseBuilder& c, bool hashed) {
    const auto count = static_cast<std::uint32_t>(c.size());
    std::uint32_t side = 1;
    while (std::uint64_t{side} * side * side < count)
        ++side;
    const auto points = c.input<glm::vec4>("points", count, [side](std::uint64_t i) {
        const glm::uvec3 brick(i % side, i / side % side, i / side / side);
        return glm::vec4(glm::vec3(16u * brick) + 3.5f, 0.0f);
    });
    const glm::uvec3 dims = hashed ? glm::uvec3(1u << 13) : glm::uvec3(16 * side);
    const SparseBricksPass pass = c.add(SparseBricksPass{.points = points.buffer,
                                                         .dims = dims,
                                                         .bricks_parameters = {.capacity = count},
                                                         .keep = false});
    c.output("status", pass.status);
    c.check([count](CaseResults& results) -> Verdict {
        const auto status = SparseStatus::read(results.read<std::uint32_t>("status"));
        if (status.active_bricks != count || status.refused != 0)
            return std::unexpected(fmt::format("{} bricks are active", status.active_bricks));
        return {};
    });
}

} // namespace

void add_sparse_cases(CaseList& cases) {
    for (const bool hashed : {false, true})
        cases.add({.pass = std::string(SparseBricksPass::kName),
                   .name = hashed ? "claim and allocate hashed" : "claim and allocate",
                   .build = [=](CaseBuilder& c) { claim(c, hashed); },
                   .least = 64,
                   .most = std::uint64_t{1} << 20,
                   .most_on_software = std::uint64_t{1} << 14});
}

} // namespace tuff::bench
