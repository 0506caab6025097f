#include "passes/raytrace/digest.hpp"

#include "passes/common/div_round_up.hpp"
#include "passes/primitives/elements.hpp"

#include <cstdint>

namespace tuff::passes {
namespace {

constexpr std::uint32_t kDigestedWordsEach = 16; // as in raytrace/digest_words.comp

/// Adds parts one after the other, each under a number of its own.
class DigestBuilder {
  public:
    explicit DigestBuilder(Graph& graph)
        : graph_(graph), digest_(graph.fill(array(graph, "digest", 2), 0, "clear_digest")) {}

    void add(Buffer buffer, std::uint64_t words) {
        if (words == 0) return;
        ComputeNodeBuilder node = begin("raytrace/digest_words");
        node.read("words", buffer);
        node.set("count", static_cast<std::uint32_t>(words));
        end(node);
        node.dispatch_each(div_round_up(static_cast<std::uint32_t>(words), kDigestedWordsEach));
    }
    void add(Buffer buffer) { add(buffer, graph_.desc(buffer).size / kWordBytes); }
    void add(Image picture) {
        ComputeNodeBuilder node = begin("raytrace/digest_texels");
        node.read("picture", picture, Sampler::nearest());
        end(node);
        node.dispatch_over(graph_.desc(picture).extent);
    }
    void add_triangles(const Bvh& bvh) {
        ComputeNodeBuilder node = begin("raytrace/digest_triangles");
        node.read("bvh_leaves", bvh.leaves);
        node.read("bvh_status", bvh.status);
        end(node);
        node.dispatch_each(bvh.mesh.triangle_count);
    }
    /// The sum of all.
    Buffer result() const { return sum_; }

  private:
    ComputeNodeBuilder begin(std::string_view kernel) {
        ComputeNodeBuilder node = graph_.compute(kernel, "digest");
        node.set("part", part_++);
        return node;
    }
    /// The parts have no order: all add to one version.
    void end(ComputeNodeBuilder& node) { sum_ = node.accumulate("digest", digest_); }

    Graph& graph_;
    Buffer digest_;
    Buffer sum_;
    std::uint32_t part_ = 0;
};

} // namespace

Buffer digest_of(Graph& graph, const TracerSetup& setup) {
    const Scene& scene = setup.tracing.scene;
    const Bvh& bvh = setup.tracing.bvh;
    const TriangleMesh& mesh = bvh.mesh;
    DigestBuilder digest(graph);
    for (const Buffer buffer : {scene.vertices, scene.indices, scene.draws, scene.starts,
                                scene.transforms, scene.materials})
        digest.add(buffer);
    // Buffers of a mesh may be longer than what is written.
    digest.add(mesh.positions, std::uint64_t{3} * mesh.vertex_count);
    digest.add(mesh.indices, std::uint64_t{3} * mesh.triangle_count);
    digest.add(mesh.draws, mesh.triangle_count);
    if (bvh.leaves && mesh.triangle_count > 0) digest.add_triangles(bvh);
    for (const Image image : scene.images)
        digest.add(image);
    digest.add(setup.around.map.panorama);
    for (const Buffer buffer : setup.tracing.shapes.buffers)
        digest.add(buffer);
    for (const Image image : setup.tracing.shapes.images)
        digest.add(image);
    return digest.result();
}

} // namespace tuff::passes
