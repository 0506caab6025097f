#include "passes/subdivision/uniform.hpp"

#include "passes/primitives/elements.hpp"
#include "passes/subdivision/stencils.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace tuff::passes {
namespace {

using TableBytes = std::vector<std::byte>;

/// Stencils as buffers hold them.
struct StencilTable {
    TableBytes ends;
    TableBytes terms;
    TableBytes weights;
};

/// Shared by all graphs that subdivide the same cage as often.
struct UniformTables {
    std::vector<StencilTable> levels;
    StencilTable limit;
    TableBytes triangles;
    std::vector<std::uint32_t> vertex_counts;
    std::uint32_t triangle_count = 0;
    std::shared_ptr<const CageTopology> made_of; ///< kept, for its address is the key
};

template <typename T>
TableBytes bytes_with(const std::vector<T>& values) {
    // Buffers cannot be empty.
    TableBytes bytes(std::max<std::size_t>(values.size(), 1) * sizeof(T), std::byte{0});
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), values.size() * sizeof(T));
    return bytes;
}

StencilTable table_of(const Stencils& stencils) {
    return {.ends = bytes_with(stencils.ends),
            .terms = bytes_with(stencils.vertices),
            .weights = bytes_with(stencils.weights)};
}

std::shared_ptr<const UniformTables>
uniform_tables(const std::shared_ptr<const CageTopology>& topology, std::uint32_t levels) {
    using Key = std::pair<const CageTopology*, std::uint32_t>;
    static std::mutex mutex;
    static std::map<Key, std::weak_ptr<const UniformTables>> known;
    const std::lock_guard lock(mutex);
    std::erase_if(known, [](const auto& one) { return one.second.expired(); });
    auto& entry = known[{topology.get(), levels}];
    if (auto held = entry.lock()) return held;
    const UniformLevels made = subdivide_all(*topology, levels);
    auto tables = std::make_shared<UniformTables>();
    for (const Stencils& level : made.levels)
        tables->levels.push_back(table_of(level));
    tables->limit = table_of(made.limit);
    tables->triangles = bytes_with(made.triangles);
    tables->vertex_counts = made.vertex_counts;
    tables->triangle_count = static_cast<std::uint32_t>(made.triangles.size());
    tables->made_of = topology;
    entry = tables;
    return tables;
}

class UniformNodes {
  public:
    UniformNodes(Graph& graph, std::shared_ptr<const UniformTables> tables)
        : graph_(graph), tables_(std::move(tables)) {}

    Buffer constant(std::string_view name, const TableBytes& bytes) {
        return graph_.constant_buffer(name, {.size = bytes.size(), .stride = kWordBytes},
                                      std::shared_ptr<const TableBytes>(tables_, &bytes));
    }
    /// Vertices of `source` summed by a table.
    ComputeNodeBuilder sums(bool limit, Buffer source, const StencilTable& table,
                            std::uint32_t vertices) {
        ComputeNodeBuilder node = graph_.compute("subdivision/stencil", {{"LIMIT", limit ? 1 : 0}});
        node.read("source", source);
        node.read("ends", constant("ends", table.ends));
        node.read("terms", constant("terms", table.terms));
        node.read("weights", constant("weights", table.weights));
        node.set("vertex_count", vertices);
        node.dispatch_each(vertices);
        return node;
    }

  private:
    Graph& graph_;
    std::shared_ptr<const UniformTables> tables_;
};

} // namespace

void SubdivideUniformly::describe(PassInfo<SubdivideUniformly>& info) {
    info.summary("Subdivides all triangles of a cage with Loop's scheme")
        .details("The host builds tables once: each level's vertices as weighted sums of those of "
                 "the previous level. In every frame the device computes the sums, one kernel a "
                 "level. The result has exactly the needed size. Vertices of the cage keep their "
                 "indices; those of edges follow, level by level.\n\n"
                 "With \"limit\", all vertices move to the limit surface. An edge that is still "
                 "sharp at the last level then counts as sharp at all further levels; "
                 "subdivision/adaptive follows it to the end of its sharpness.")
        .source("C. Loop, \"Smooth Subdivision Surfaces Based on Triangles\", 1987; masks of "
                "limits: Hoppe et al., SIGGRAPH 1994")
        .complexity("O(triangles)")
        .cost([](const SubdivideUniformly& pass, const Graph&) {
            // Of a level some five terms a vertex, of the limit some 19, and places and normals.
            const double n = pass.mesh.vertex_count;
            return Cost{.bytes = 280.0 * n, .operations = 160.0 * n};
        });
    info.input("cage", &SubdivideUniformly::cage, "the cage to subdivide, from subdivision/cage");
    info.parameter("levels", &SubdivideUniformly::levels,
                   "number of levels; each makes four triangles of one")
        .range(0, kMaxUniformLevels)
        .structural();
    info.parameter("limit", &SubdivideUniformly::limit,
                   "whether vertices are on the limit surface, or at their positions of the "
                   "last level");
    info.output("mesh", &SubdivideUniformly::mesh, "the triangles");
    info.output("normals", &SubdivideUniformly::normals,
                "one vec4 a vertex: the unit normal of the limit surface, and 0; at sharp "
                "edges that of one side")
        .elements<glm::vec4>();
}

void SubdivideUniformly::build(Graph& graph) {
    const std::uint64_t triangles = std::uint64_t{cage.topology->triangle_count} << (2 * levels);
    if (triangles > kMaxMeshTriangles) {
        graph.error("bvh/too-many-triangles",
                    fmt::format("{} levels make {} triangles; at most {} are possible", levels,
                                triangles, kMaxMeshTriangles),
                    "decrease \"levels\"");
        return;
    }
    const std::shared_ptr<const UniformTables> tables = uniform_tables(cage.topology, levels);
    UniformNodes nodes(graph, tables);
    Buffer positions = cage.positions;
    for (std::uint32_t level = 0; level < levels; ++level) {
        const std::uint32_t vertices = tables->vertex_counts[level + 1];
        ComputeNodeBuilder node = nodes.sums(false, positions, tables->levels[level], vertices);
        node.set("on_limit", 0u);
        positions = node.write("result", array(graph, "positions", 3 * std::uint64_t{vertices}));
    }
    const std::uint32_t vertices = tables->vertex_counts.back();
    ComputeNodeBuilder node = nodes.sums(true, positions, tables->limit, vertices);
    node.set("on_limit", limit ? 1u : 0u);
    mesh.positions = node.write("result", array(graph, "limits", 3 * std::uint64_t{vertices}));
    normals = node.write(
        "normals",
        graph.buffer("normals", {.size = 16 * std::max<std::uint64_t>(vertices, 1), .stride = 16}));
    mesh.indices = nodes.constant("indices", tables->triangles);
    mesh.vertex_count = vertices;
    mesh.triangle_count = tables->triangle_count;
}

TUFF_PASS(SubdivideUniformly)

} // namespace tuff::passes
