#pragma once

#include "passes/fluid/simple.hpp"
#include "ranks_fixture.hpp"

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tuff::testing_gpu {

using StateWords = std::vector<std::uint32_t>;

struct FluidSetup {
    std::string name;
    passes::SimpleFluid fluid;
    bool at_rest = false; ///< begins without any state
    bool wild = false;    ///< begins with numbers that are clamped or not finite
    bool empty = false;   ///< without solids, and with no emitters but those of `fluid`
    unsigned executions = 1;
    std::uint32_t more_steps = 0;  ///< of fluid/step, after those of fluid/simple
    std::uint32_t whole_steps = 0; ///< after those, of what rank 0 has of all parts
    /// What a cell begins with, by default noise.
    std::function<glm::vec4(glm::uvec3 cell)> first = {};
};

/// What some executions leave. Only the first rank has cells.
struct FluidFound {
    passes::FluidPart part;
    StateWords cells;
    StateWords dye;
    /// With the sums of what ranks count, and the least and the greatest of their other numbers.
    std::vector<StateWords> statuses;

    passes::FluidStatus status() const { return passes::FluidStatus::read(statuses.at(0)); }
};

/// The same conditions at both sides of an axis.
passes::FluidBoundary sides(passes::FluidFace x, passes::FluidFace y, passes::FluidFace z);

/// What a cell of a setup begins with.
glm::vec4 first_state(const FluidSetup& setup, glm::uvec3 cell);

/// Fluids that ranks have in parts, against the same fluid of one rank: to the bit.
class FluidOfRanks : public RanksTest {
  protected:
    void SetUp() override;

    FluidFound found(const FluidSetup& setup, const Ranks& ranks);
    /// Compares what the job's ranks have with what one has, for some `most_grids` of their grids.
    /// Rank 0 returns what one has.
    FluidFound check(const FluidSetup& setup, std::size_t most_grids = 100);
};

} // namespace tuff::testing_gpu
