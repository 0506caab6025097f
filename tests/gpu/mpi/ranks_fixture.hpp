#pragma once

#include "passes/mpi/parts.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <tuff/communicator.hpp>

#include <functional>
#include <vector>

namespace tuff::testing_gpu {

/// A test that each rank of a job runs, as mpirun starts them, in the same order; alone without
/// mpirun.
class RanksTest : public GpuTest {
  public:
    void SetUp() override;

    /// Of this job; null: there are no others.
    static Communicator* communicator();
    static std::uint32_t job_size();
    static std::uint32_t job_rank();

    /// Grids of the job's ranks that fit the field: all of up to four ranks, every other one of
    /// more. The test fails where none fits.
    static std::vector<Ranks> grids(const passes::Cells& cells);
    /// All grids with no more ranks along y than along x, nor along z than along y. Where none of
    /// them fits: `grids`.
    static std::vector<Ranks> descending_grids(const passes::Cells& cells);
    /// A graph of such ranks.
    Graph graph_of(const Ranks& ranks);
};

/// A number for each cell of a field; no two are alike.
float cell_value(std::uint32_t x, std::uint32_t y, std::uint32_t z);

/// Of an image of some cells: `value` is called with each texel.
std::shared_ptr<const std::vector<std::byte>>
texels_of(const passes::Cells& size,
          const std::function<float(std::uint32_t, std::uint32_t, std::uint32_t)>& value);

/// The size of a rank's image of a field.
passes::Cells part_size(const Ranks& ranks, const passes::Cells& cells, const passes::Cells& halo);

/// A rank's image of a field: `value` is called with each cell of its part, and the halo has
/// `outside`.
std::shared_ptr<const std::vector<std::byte>>
part_texels(const Ranks& ranks, const passes::Cells& cells, const passes::Cells& halo,
            float outside, const std::function<float(const passes::Cells& cell)>& value);

/// A single-channel image of floats; a volume where `volume` says so.
ImageDesc floats(const passes::Cells& size, bool volume);

/// The first channel of an image of any depth, as the executor reads it.
std::vector<float> values_in(Running& running, std::string_view output);

} // namespace tuff::testing_gpu
