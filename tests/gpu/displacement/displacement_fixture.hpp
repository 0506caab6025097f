#pragma once

#include "passes/bvh/cast.hpp"
#include "passes/bvh/instances.hpp"
#include "passes/displacement/cast.hpp"
#include "passes/displacement/tessellate.hpp"
#include "tests/gpu/gpu_fixture.hpp"

#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tuff {

using passes::CastDisplaced;
using passes::DisplacementKind;
using passes::DisplacementShape;
using passes::HitRecord;
using passes::NearestKept;
using passes::NodeBits;
using passes::PatchBounds;
using passes::PatchLeaf;
using passes::PatchMethod;
using passes::PatchRecord;
using passes::RayRecord;
using passes::TreeStore;
using testing_gpu::bytes_of;
using testing_gpu::Running;

/// Texels of a map, row by row.
struct HostMap {
    std::uint32_t width = 1;
    std::uint32_t height = 1;
    std::vector<glm::vec4> texels;
};

inline HostMap random_map(std::uint32_t width, std::uint32_t height, unsigned seed, float size) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> number(-size, size);
    HostMap map{width, height, {}};
    for (std::uint32_t i = 0; i < width * height; ++i)
        map.texels.emplace_back(number(random), number(random), number(random), 0.0f);
    return map;
}

/// Quads in all directions, some bent, some degenerate.
inline std::vector<PatchRecord> random_patches(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> number(-1.0f, 1.0f);
    std::uniform_real_distribution<float> share(0.0f, 1.0f);
    const auto vec = [&] { return glm::vec3(number(random), number(random), number(random)); };
    std::vector<PatchRecord> patches(count);
    for (PatchRecord& p : patches) {
        const glm::vec3 middle = 2.0f * vec();
        const glm::vec3 x = 0.7f * vec();
        const glm::vec3 y = 0.7f * vec();
        p.a = middle - x - y;
        p.b = middle + x - y + 0.2f * vec();
        p.c = middle + x + y;
        p.d = middle - x + y + 0.2f * vec();
        p.normal_a = p.normal_b = glm::cross(x, y);
        p.normal_c = p.normal_d = glm::cross(x, y) + 0.1f * vec();
        p.u_a = share(random), p.u_b = share(random), p.u_c = share(random), p.u_d = share(random);
        p.v_a = share(random), p.v_b = share(random), p.v_c = share(random), p.v_d = share(random);
    }
    return patches;
}

inline std::vector<RayRecord> random_rays(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> number(-1.0f, 1.0f);
    const auto vec = [&] { return glm::vec3(number(random), number(random), number(random)); };
    std::vector<RayRecord> rays(count);
    for (std::size_t i = 0; i < count; ++i) {
        rays[i].origin = i % 5 == 0 ? 2.0f * vec() : 5.0f * glm::normalize(vec());
        rays[i].direction = glm::normalize(2.0f * vec() - rays[i].origin);
        // Along axes, too, which lie in the faces of boxes.
        if (i % 7 == 0) rays[i].direction = {0.0f, i % 2 ? 1.0f : -1.0f, 0.0f};
        rays[i].t_max = i % 11 == 0 ? 4.0f : std::numeric_limits<float>::infinity();
    }
    rays[1].direction = {};
    rays[2].origin.x = std::numeric_limits<float>::quiet_NaN();
    rays[3].t_max = -1.0f;
    return rays;
}

/// Casts rays through patches and through their triangles.
class DisplacementTest : public testing_gpu::GpuTest {
  public:
    Image add_map(Graph& g, const HostMap& map) {
        return g.constant_image(
            "map", {.format = Format::rgba32_sfloat, .extent = {map.width, map.height, 1}},
            bytes_of(map.texels));
    }
    template <typename Record>
    Buffer add_records(Graph& g, std::string_view name, const std::vector<Record>& records) {
        return g.constant_buffer(
            name, {.size = records.size() * sizeof(Record), .stride = sizeof(Record)},
            bytes_of(records));
    }

    struct Scene {
        std::vector<PatchRecord> patches;
        HostMap map;
        std::uint32_t level = 3;
        float scale = 1.0f;
        DisplacementKind kind = DisplacementKind::vector;
        PatchBounds bounds = PatchBounds::exact;
        std::uint32_t trees = 0;
        NodeBits bits = NodeBits::bits16;
        AddressMode wrap = AddressMode::clamp;
        std::vector<passes::MeshInstance> instances;
    };
    passes::DisplacedSurface add_surface(Graph& g, const Scene& scene) {
        Buffer instances;
        if (!scene.instances.empty()) instances = add_records(g, "instances", scene.instances);
        return g
            .add(passes::DisplaceSurface{.patches = add_records(g, "patches", scene.patches),
                                         .map = add_map(g, scene.map),
                                         .instances = instances,
                                         .scale = scene.scale,
                                         .level = scene.level,
                                         .kind = scene.kind,
                                         .bounds = scene.bounds,
                                         .trees = scene.trees,
                                         .bits = scene.bits,
                                         .wrap = scene.wrap})
            .surface;
    }

    std::vector<HitRecord> cast(const Scene& scene, const std::vector<RayRecord>& rays,
                                CastDisplaced how, unsigned executions = 1) {
        Graph g = graph();
        how.surface = add_surface(g, scene);
        how.rays = add_records(g, "rays", rays);
        g.output("hits", g.add(how).hits);
        Running running = run(std::move(g), executions);
        return running.buffer<HitRecord>("hits");
    }

    /// Hits by several ways, in one graph, which prepares the surface once.
    std::vector<std::vector<HitRecord>> cast_by(const Scene& scene,
                                                const std::vector<RayRecord>& rays,
                                                const std::vector<CastDisplaced>& ways) {
        Graph g = graph();
        const passes::DisplacedSurface surface = add_surface(g, scene);
        const Buffer all_rays = add_records(g, "rays", rays);
        for (std::size_t i = 0; i < ways.size(); ++i) {
            CastDisplaced how = ways[i];
            how.surface = surface;
            how.rays = all_rays;
            g.output("hits" + std::to_string(i), g.add(how, "way" + std::to_string(i)).hits);
        }
        Running running = run(std::move(g));
        std::vector<std::vector<HitRecord>> hits;
        for (std::size_t i = 0; i < ways.size(); ++i)
            hits.push_back(running.buffer<HitRecord>("hits" + std::to_string(i)));
        return hits;
    }

    /// What rays hit of the tessellated patches, tried one by one, as hits on patches.
    std::vector<HitRecord> brute_force(const Scene& scene, const std::vector<RayRecord>& rays) {
        Graph g = graph();
        const passes::TriangleMesh mesh =
            g.add(passes::TessellateDisplaced{.surface = add_surface(g, scene)}).mesh;
        g.output("hits", g.add(passes::CastRays{.bvh = passes::without_hierarchy(mesh),
                                                .rays = add_records(g, "rays", rays)})
                             .hits);
        std::vector<HitRecord> hits = run(std::move(g)).buffer<HitRecord>("hits");
        const std::uint32_t side = 1u << scene.level;
        for (HitRecord& hit : hits) {
            if (hit.triangle == ~0u) continue;
            const std::uint32_t cell = hit.triangle / 2 % (side * side);
            const glm::vec2 w = hit.barycentric;
            const glm::vec2 within =
                hit.triangle % 2 == 0 ? glm::vec2(w.x + w.y, w.y) : glm::vec2(w.x, w.x + w.y);
            hit.barycentric =
                (glm::vec2(cell % side, cell / side) + within) / static_cast<float>(side);
            hit.triangle /= 2 * side * side;
        }
        return hits;
    }

    static void expect_equal(const std::vector<HitRecord>& got,
                             const std::vector<HitRecord>& expected, std::string_view what) {
        ASSERT_EQ(got.size(), expected.size());
        std::size_t hits = 0;
        for (std::size_t i = 0; i < got.size(); ++i) {
            ASSERT_EQ(got[i].triangle, expected[i].triangle) << what << ", ray " << i;
            if (expected[i].triangle == ~0u) continue;
            ++hits;
            ASSERT_EQ(got[i].t, expected[i].t) << what << ", ray " << i;
            ASSERT_NEAR(got[i].barycentric.x, expected[i].barycentric.x, 1e-6) << what;
            ASSERT_NEAR(got[i].barycentric.y, expected[i].barycentric.y, 1e-6) << what;
        }
        EXPECT_GT(hits, got.size() / 10) << what;
    }
};

inline CastDisplaced deferred(TreeStore store = TreeStore::automatic,
                              NearestKept nearest = NearestKept::automatic,
                              NodeBits bits = NodeBits::bits16) {
    return {.surface = {},
            .rays = {},
            .before = {},
            .method = PatchMethod::deferred,
            .store = store,
            .nearest = nearest,
            .bits = bits,
            .most_pairs = 100'000}; // boxes overlap
}

} // namespace tuff
