#include "passes/subdivision/cage.hpp"

#include "passes/geometry/triangles.hpp"
#include "passes/primitives/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>

namespace tuff::passes {
namespace {

using Bytes = std::vector<std::byte>;

template <typename T>
Bytes packed(const std::vector<T>& values) {
    // Buffers cannot be empty.
    Bytes bytes(std::max<std::size_t>(values.size(), 1) * sizeof(T), std::byte{0});
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), values.size() * sizeof(T));
    return bytes;
}

/// Shared by all graphs over the same cage, so that they upload nothing again.
struct CageTables {
    std::shared_ptr<const CageTopology> topology;
    std::vector<std::uint32_t> from; ///< of each vertex, which position is its
    Bytes heads;
    Bytes links;
    Bytes rings;
    Bytes sharpness;
    Bytes sources;
    Bytes from_bytes;
    Bounds bounds;
    std::vector<std::shared_ptr<const void>> made_of; ///< kept, for their addresses are the key
};

std::shared_ptr<const Bytes> contents_of(const Graph& graph, Buffer buffer) {
    if (!buffer) return {};
    const ResourceDesc& resource = graph.peek().resource_of(buffer.version);
    return resource.lifetime == Lifetime::constant ? resource.contents : nullptr;
}

template <typename T>
std::span<const T> elements_in(const std::shared_ptr<const Bytes>& bytes) {
    if (!bytes) return {};
    return {reinterpret_cast<const T*>(bytes->data()), bytes->size() / sizeof(T)};
}

/// The faces of a cage, with the corner of the source that each vertex is taken from.
struct FoundFaces {
    CageFaces faces;
    std::vector<std::uint32_t> from; ///< empty: each vertex is its own
};

struct Corner {
    std::array<std::uint32_t, 3> bits;
    friend auto operator<=>(const Corner&, const Corner&) = default;
};

/// Vertices at one place are one: models repeat them where normals and textures part.
class Welder {
  public:
    std::uint32_t vertex(glm::vec3 position, std::uint32_t source) {
        position += glm::vec3(0.0f); // -0 is 0
        const Corner corner{std::bit_cast<std::array<std::uint32_t, 3>>(position)};
        const auto [at, is_new] = known_.try_emplace(corner, found_.faces.vertex_count);
        if (is_new) {
            ++found_.faces.vertex_count;
            found_.faces.positions.push_back(position);
            found_.from.push_back(source);
        }
        return at->second;
    }
    FoundFaces& found() { return found_; }

  private:
    std::map<Corner, std::uint32_t> known_;
    FoundFaces found_;
};

FoundFaces faces_of(const Scene& scene, std::span<const Vertex> vertices,
                    std::span<const std::uint32_t> indices) {
    Welder welder;
    std::uint32_t begin = 0; // of the draw's vertices where those of all follow one another
    for (const SceneDraw& draw : scene.data->draws) {
        const glm::mat4& world = scene.data->transforms[draw.transform].world;
        for (std::uint32_t i = 0; i + 2 < draw.index_count; i += 3) {
            glm::uvec3 triangle;
            for (std::uint32_t k = 0; k < 3; ++k) {
                const std::uint32_t index = indices[draw.first_index + i + k];
                const auto vertex =
                    static_cast<std::size_t>(std::int64_t{index} + draw.vertex_offset);
                const glm::vec3 at = world * glm::vec4(vertices[vertex].position, 1.0f);
                triangle[static_cast<int>(k)] = welder.vertex(at, begin + index);
            }
            if ((draw.flags & draw_mirrored) != 0) std::swap(triangle.y, triangle.z);
            welder.found().faces.triangles.push_back(triangle);
        }
        begin += draw.vertex_count;
    }
    return std::move(welder.found());
}

FoundFaces faces_of(std::span<const glm::uvec3> indices, std::span<const glm::vec3> positions,
                    std::uint64_t vertices) {
    FoundFaces found;
    found.faces.triangles.assign(indices.begin(), indices.end());
    found.faces.positions.assign(positions.begin(), positions.end());
    found.faces.vertex_count = static_cast<std::uint32_t>(vertices);
    return found;
}

std::shared_ptr<CageTables> pack_tables(const FoundFaces& found, CageTopology topology) {
    auto tables = std::make_shared<CageTables>();
    tables->heads = packed(topology.heads);
    tables->links = packed(topology.links);
    tables->rings = packed(topology.rings);
    tables->sharpness = packed(topology.sharpness);
    tables->sources = packed(topology.sources);
    tables->from = found.from;
    tables->from_bytes = packed(found.from);
    for (const glm::vec3& position : found.faces.positions)
        tables->bounds.grow(position);
    tables->topology = std::make_shared<const CageTopology>(std::move(topology));
    return tables;
}

Buffer constant_of(Graph& graph, std::string_view name,
                   const std::shared_ptr<const CageTables>& tables, const Bytes& bytes,
                   std::uint32_t stride) {
    // As long as the graph has one of them, all are kept.
    return graph.constant_buffer(name, {.size = bytes.size(), .stride = stride},
                                 std::shared_ptr<const Bytes>(tables, &bytes));
}

/// What the host knows of a cage.
struct CageSource {
    std::shared_ptr<const Bytes> corners;
    std::shared_ptr<const Bytes> places; ///< of scenes vertices; null: the device makes them
};

/// Nothing, and a report, where the inputs are no cage.
std::optional<CageSource> source_of(Graph& graph, const MakeCage& pass) {
    if (bool(pass.scene) == bool(pass.indices) || (!pass.scene && !pass.positions)) {
        graph.error("subdivision/no-cage",
                    pass.scene && pass.indices
                        ? "both \"scene\" and \"indices\" are connected"
                        : "neither \"scene\", nor \"indices\" and \"positions\", are connected",
                    "connect either \"scene\", or \"indices\" and \"positions\"");
        return {};
    }
    const CageSource source{contents_of(graph, pass.scene ? pass.scene.indices : pass.indices),
                            contents_of(graph, pass.scene ? pass.scene.vertices : pass.positions)};
    if (!source.corners || (pass.scene && !source.places)) {
        graph.error("subdivision/not-constant",
                    "the cage's triangles are made on the device, but the host computes their "
                    "adjacency",
                    "connect the scene as it was loaded, or constant \"indices\"; connect "
                    "moving vertices to \"positions\"");
        return {};
    }
    if (pass.creases.size() % 3 != 0) {
        graph.error("subdivision/no-edge",
                    fmt::format("\"creases\" has {} numbers, which is not a whole number of edges",
                                pass.creases.size()),
                    "give three numbers for each edge: two vertices and a sharpness");
        return {};
    }
    if (pass.crease_angle > 0.0f && !source.places) {
        graph.error("subdivision/not-constant",
                    "the cage's positions are made on the device, but the host computes the "
                    "crease angles",
                    "set \"crease_angle\" to 0 and list sharp edges in \"creases\"");
        return {};
    }
    return source;
}

CreaseRules rules_of(const MakeCage& pass) {
    CreaseRules rules{.creases = {},
                      .angle = pass.crease_angle,
                      .angle_sharpness = pass.angle_sharpness,
                      .sharp_corners = pass.sharp_corners};
    for (std::size_t i = 0; i + 2 < pass.creases.size(); i += 3)
        rules.creases.push_back({static_cast<std::uint32_t>(pass.creases[i]),
                                 static_cast<std::uint32_t>(pass.creases[i + 1]),
                                 pass.creases[i + 2]});
    return rules;
}

/// Those that somebody has, or new ones; null, and a report, where the cage is refused.
std::shared_ptr<const CageTables> tables_for(Graph& graph, const MakeCage& pass,
                                             const CageSource& source) {
    using Key =
        std::tuple<const void*, const void*, const void*, std::vector<float>, float, float, bool>;
    static std::mutex mutex;
    static std::map<Key, std::weak_ptr<const CageTables>> known;
    const Key key{pass.scene.data.get(), source.corners.get(), source.places.get(), pass.creases,
                  pass.crease_angle,     pass.angle_sharpness, pass.sharp_corners};
    const std::lock_guard lock(mutex);
    std::erase_if(known, [](const auto& one) { return one.second.expired(); });
    if (const auto at = known.find(key); at != known.end())
        if (auto held = at->second.lock()) return held;

    const auto indices = elements_in<std::uint32_t>(source.corners);
    const FoundFaces found =
        pass.scene
            ? faces_of(pass.scene, elements_in<Vertex>(source.places), indices)
            : faces_of(elements_in<glm::uvec3>(source.corners),
                       elements_in<glm::vec3>(source.places), capacity(graph, pass.positions) / 3);
    Result<CageTopology> topology = analyse_cage(found.faces, rules_of(pass));
    if (!topology) {
        for (Diagnostic& diagnostic : topology.error())
            graph.report(std::move(diagnostic));
        return {};
    }
    auto tables = pack_tables(found, std::move(*topology));
    tables->made_of = {pass.scene.data, source.corners, source.places};
    known[key] = tables;
    return tables;
}

} // namespace

std::vector<PortMember> Cage::members() const {
    return {{"positions", positions, BufferElements::of<float>()},
            {"heads", heads, BufferElements::of<glm::uvec4>()},
            {"links", links, BufferElements::of<glm::uvec4>()},
            {"rings", rings, BufferElements::of<std::uint32_t>()},
            {"sharpness", sharpness, BufferElements::of<std::uint32_t>()},
            {"sources", sources, BufferElements::of<std::uint32_t>()}};
}

void MakeCage::describe(PassInfo<MakeCage>& info) {
    info.summary("Computes the adjacency of a triangle cage, for subdivision")
        .details(
            "The cage is a loaded scene, whose vertices are merged if they are at the same "
            "position; or a constant array of \"indices\", whose vertices are as they are "
            "numbered. The host computes the adjacency once. \"positions\" may change in every "
            "frame, in the order of geometry/triangles or of the indices. Triangles with two "
            "corners at one vertex are left out.\n\n"
            "Errors are reported with their place: edges of more than two triangles, neighbours "
            "of opposite orientation, vertices where two sheets meet, and vertices with fewer "
            "than three neighbours inside or more than 32.\n\n"
            "Boundaries are sharp. Edges inside are sharp if \"creases\" lists them, or if the "
            "faces of the loaded cage meet at more than \"crease_angle\". Sharpness is the "
            "number of levels that an edge stays sharp for, in steps of 1/64; 10 and more mean "
            "all levels.")
        .source("Hoppe et al., \"Piecewise Smooth Surface Reconstruction\", SIGGRAPH 1994; DeRose, "
                "Kass and Truong, \"Subdivision Surfaces in Character Animation\", SIGGRAPH 1998")
        .complexity("O(n log n) once on the host, O(n) in each frame")
        .cost([](const MakeCage& pass, const Graph&) {
            return Cost{.bytes = pass.cage ? 28.0 * pass.cage.topology->vertex_count : 0.0};
        });
    info.optional_input("scene", &MakeCage::scene, "the cage, as it was loaded");
    info.optional_input("indices", &MakeCage::indices,
                        "instead of \"scene\": three vertices a triangle, a constant")
        .elements<std::uint32_t>();
    info.optional_input("positions", &MakeCage::positions,
                        "three floats a vertex; if not connected, those of the scene")
        .elements<float>();
    info.parameter("creases", &MakeCage::creases,
                   "sharp edges, three numbers each: two vertices and the sharpness; vertices "
                   "of scenes are numbered in the order in which triangles first use their "
                   "positions")
        .range(0.0, 16777216.0)
        .structural();
    info.parameter("crease_angle", &MakeCage::crease_angle,
                   "edges whose faces meet at a larger angle are sharp; 0: none")
        .range(0.0, 180.0)
        .unit("degrees")
        .structural();
    info.parameter("angle_sharpness", &MakeCage::angle_sharpness,
                   "sharpness of the edges found by \"crease_angle\"")
        .range(0.0, 100.0)
        .structural();
    info.parameter("sharp_corners", &MakeCage::sharp_corners,
                   "whether the vertex of a single triangle at a boundary is a corner, which "
                   "does not move")
        .structural();
    info.output("cage", &MakeCage::cage,
                "the cage, for subdivision/adaptive and "
                "subdivision/uniform");
}

void MakeCage::build(Graph& graph) {
    const std::optional<CageSource> source = source_of(graph, *this);
    if (!source) return;
    const std::shared_ptr<const CageTables> tables = tables_for(graph, *this, *source);
    if (!tables) return;
    const CageTopology& topology = *tables->topology;
    Buffer placed = positions;
    if (!placed) placed = graph.add(Triangles{.scene = scene}).mesh.positions;
    if (!placed) return;
    const std::uint32_t most =
        tables->from.empty() ? 0 : *std::ranges::max_element(tables->from) + 1;
    if (capacity(graph, placed) < 3 * std::uint64_t{most}) {
        graph.error("primitives/too-short",
                    fmt::format("\"positions\" has {} vertices, but the scene has {}",
                                capacity(graph, placed) / 3, most),
                    "connect the positions of geometry/triangles for the same scene");
        return;
    }
    if (scene) {
        ComputeNodeBuilder node = graph.compute("subdivision/cage_positions");
        node.read("source", placed);
        node.read("from", constant_of(graph, "from", tables, tables->from_bytes, 4));
        node.set("vertex_count", topology.vertex_count);
        placed = node.write("positions",
                            array(graph, "positions", 3 * std::uint64_t{topology.vertex_count}));
        node.dispatch_each(topology.vertex_count);
    }
    cage.positions = placed;
    cage.heads = constant_of(graph, "heads", tables, tables->heads, 16);
    cage.links = constant_of(graph, "links", tables, tables->links, 16);
    cage.rings = constant_of(graph, "rings", tables, tables->rings, 4);
    cage.sharpness = constant_of(graph, "sharpness", tables, tables->sharpness, 4);
    cage.sources = constant_of(graph, "sources", tables, tables->sources, 4);
    cage.topology = tables->topology;
    cage.bounds = scene ? scene.data->bounds : tables->bounds;
}

TUFF_PASS(MakeCage)

} // namespace tuff::passes
