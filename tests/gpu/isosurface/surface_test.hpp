#pragma once

#include "passes/isosurface/dual_contouring.hpp"
#include "passes/isosurface/marching_cubes.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/vec3.hpp>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace tuff::testing_gpu {

/// A field on the host, x fastest.
struct HostField {
    glm::uvec3 dims{0};
    std::vector<float> values;

    float& at(glm::uvec3 texel) {
        return values[(std::size_t{texel.z} * dims.y + texel.y) * dims.x + texel.x];
    }
};

/// `height` at the middle of each texel, texel 0 at `origin`.
HostField sampled_field(glm::uvec3 dims, glm::dvec3 origin, double spacing,
                        const std::function<double(glm::dvec3)>& height);
/// Numbers from -1 to 1.
HostField random_field(glm::uvec3 dims, std::uint32_t seed);

using HostTriangle = std::array<std::uint32_t, 3>;

struct HostSurface {
    std::vector<glm::vec3> positions; ///< those that there are
    std::vector<glm::vec3> normals;
    std::vector<HostTriangle> triangles;
    std::vector<HostTriangle> behind; ///< the last one, in the array
    std::vector<std::uint32_t> draw;
    passes::IsosurfaceStatus status;

    double area() const;
    double volume() const; ///< by the divergence theorem
};

/// Directed edges that no triangle goes back along; a second triangle along the same one counts,
/// too.
std::vector<std::array<std::uint32_t, 2>> open_edges(const HostSurface& surface);
/// Whether the triangles around each vertex are one fan.
bool has_single_fans(const HostSurface& surface);
/// Corners of all triangles as bits, the least first, sorted.
std::vector<std::array<std::uint32_t, 9>> triangle_set(const HostSurface& surface);

class SurfaceTest : public GpuTest {
  protected:
    static Image volume(Graph& g, const HostField& field);
    static Buffer values(Graph& g, const HostField& field);

    template <typename Pass>
    Pass output(Graph& g, const std::string& name, const Pass& pass) {
        const Pass added = g.add(pass, name);
        if (!added.mesh) return added;
        g.output(name + " positions", added.mesh.positions);
        g.output(name + " indices", added.mesh.indices);
        g.output(name + " normals", added.normals);
        g.output(name + " draw", added.draw);
        g.output(name + " status", added.status);
        return added;
    }
    /// Checks what is behind the surface, and its counts.
    static HostSurface surface(Running& running, const std::string& name);

    template <typename Pass>
    HostSurface found(const Pass& pass, const HostField& field) {
        Graph g = graph();
        Pass wired = pass;
        wired.field = volume(g, field);
        output(g, "surface", wired);
        Running running = run(std::move(g));
        if (!running) return {};
        return surface(running, "surface");
    }
};

} // namespace tuff::testing_gpu
