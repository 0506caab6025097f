#pragma once

#include "passes/voxel/solid.hpp"
#include "passes/voxel/surface.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/voxel/voxel_meshes.hpp"
#include "tests/gpu/voxel/voxel_reference.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the tests of voxels share.
namespace tuff::testing_gpu {

/// A grid on the host.
struct HostVoxels {
    Voxels voxels;
    Frame frame{};
    passes::VoxelStatus status;
};

class VoxelTest : public GpuTest {
  protected:
    static passes::TriangleMesh mesh(Graph& g, const TriangleSoup& soup,
                                     std::string_view name = "mesh") {
        std::vector<float> positions;
        for (const glm::vec3& p : soup.positions)
            positions.insert(positions.end(), {p.x, p.y, p.z});
        std::vector<std::uint32_t> indices = soup.indices;
        if (positions.empty()) positions.resize(3);
        if (indices.empty()) indices.resize(3);
        const auto array = [&](std::string_view part, const auto& values) {
            const auto bytes = bytes_of(values);
            return g.constant_buffer(std::string(name) + "." + std::string(part),
                                     {.size = bytes->size(), .stride = 4}, bytes);
        };
        return {.positions = array("positions", positions),
                .indices = array("indices", indices),
                .draws = {},
                .vertex_count = static_cast<std::uint32_t>(soup.positions.size()),
                .triangle_count = soup.triangles()};
    }

    /// A grid of unit voxels whose corner is the origin.
    static passes::VoxelGridParameters unit_voxels(glm::uvec3 dims) {
        return {.dims = dims,
                .bounds = passes::VoxelBounds::given,
                .low = glm::vec3(0.0f),
                .high = glm::vec3(dims)};
    }

    static void output(Graph& g, const std::string& name, const passes::VoxelGrid& grid) {
        g.output(name + ".words", grid.words);
        g.output(name + ".frame", grid.frame);
        g.output(name + ".status", grid.status);
    }
    static HostVoxels read(Running& running, const std::string& name, glm::uvec3 dims) {
        HostVoxels result;
        result.voxels = Voxels(dims, running.buffer<std::uint32_t>(name + ".words"));
        const auto frame = running.buffer<glm::vec4>(name + ".frame");
        if (frame.size() == 3) std::copy(frame.begin(), frame.end(), result.frame.begin());
        const auto status = running.buffer<std::uint32_t>(name + ".status");
        if (status.size() == passes::kVoxelStatusWords)
            result.status = passes::VoxelStatus::read(status);
        return result;
    }

    /// Runs passes in one graph, for making pipelines takes longer than running them; twice, so
    /// that the second execution finds what the first has left.
    template <typename Pass>
    std::vector<HostVoxels> voxelize(const std::vector<std::pair<TriangleSoup, Pass>>& all) {
        Graph g = graph();
        std::vector<glm::uvec3> dims;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::string name = "grid " + std::to_string(i);
            Pass pass = all[i].second;
            pass.mesh = mesh(g, all[i].first, name);
            const passes::VoxelGrid grid = g.add(pass, name).grid;
            if (grid) output(g, name, grid);
            dims.push_back(grid.dims);
        }
        std::vector<HostVoxels> results(all.size());
        Running running = run(std::move(g), 2);
        for (std::size_t i = 0; running && i < all.size(); ++i)
            results[i] = read(running, "grid " + std::to_string(i), dims[i]);
        return results;
    }
    template <typename Pass>
    HostVoxels voxelize(const TriangleSoup& soup, Pass pass) {
        return voxelize(std::vector<std::pair<TriangleSoup, Pass>>{{soup, pass}}).front();
    }

    static std::string difference(const Voxels& got, const Voxels& wanted) {
        if (got.dims != wanted.dims || got.words.size() != wanted.words.size())
            return "sizes differ";
        std::string text;
        int shown = 0;
        for (std::uint32_t y = 0; y < wanted.dims.y; ++y)
            for (std::uint32_t x = 0; x < wanted.dims.x; ++x)
                for (std::uint32_t z = 0; z < (wanted.dims.z + 31) / 32 * 32; ++z) {
                    const std::size_t word =
                        (std::size_t{y} * wanted.dims.x + x) * ((wanted.dims.z + 31) / 32) + z / 32;
                    const bool a = (got.words[word] >> (z % 32) & 1) != 0;
                    const bool b = (wanted.words[word] >> (z % 32) & 1) != 0;
                    if (a == b || ++shown > 8) continue;
                    text += (a ? " too many: " : " missing: ") + std::to_string(x) + "," +
                            std::to_string(y) + "," + std::to_string(z);
                }
        return shown == 0 ? std::string() : std::to_string(shown) + " voxels:" + text;
    }
};

} // namespace tuff::testing_gpu
