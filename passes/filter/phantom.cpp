#include "passes/filter/phantom.hpp"

#include "passes/common/constant_array.hpp"

#include <vector>

namespace tuff::passes {

std::span<const PhantomEllipsoid> phantom_thorax() {
    // y grows downwards in pictures: the spine is at the bottom, as in a scan of a patient who
    // lies.
    static const std::array kParts{
        PhantomEllipsoid{{0.0f, 0.0f, 0.0f, 0.0f}, {0.9f, 0.68f, 4.0f, 0.35f}, {}},     // body
        PhantomEllipsoid{{0.0f, 0.0f, 0.0f, 0.0f}, {0.83f, 0.61f, 4.0f, 0.42f}, {}},    // muscle
        PhantomEllipsoid{{-0.44f, 0.0f, 0.0f, -0.1f}, {0.31f, 0.5f, 0.95f, 0.05f}, {}}, // lungs
        PhantomEllipsoid{{0.46f, 0.03f, 0.0f, 0.1f}, {0.29f, 0.48f, 0.9f, 0.05f}, {}},
        PhantomEllipsoid{{-0.5f, -0.15f, 0.1f, 0.5f}, {0.03f, 0.17f, 0.3f, 0.4f}, {}}, // vessels
        PhantomEllipsoid{{-0.42f, 0.2f, -0.1f, -0.6f}, {0.025f, 0.16f, 0.3f, 0.4f}, {}},
        PhantomEllipsoid{{0.55f, 0.1f, 0.0f, 0.7f}, {0.028f, 0.15f, 0.25f, 0.4f}, {}},
        PhantomEllipsoid{{0.0f, 0.46f, 0.0f, 0.0f}, {0.13f, 0.12f, 4.0f, 0.95f}, {}},   // spine
        PhantomEllipsoid{{0.0f, 0.52f, 0.0f, 0.0f}, {0.045f, 0.045f, 4.0f, 0.4f}, {}},  // its canal
        PhantomEllipsoid{{0.0f, -0.6f, 0.0f, 0.0f}, {0.11f, 0.035f, 4.0f, 0.9f}, {}},   // sternum
        PhantomEllipsoid{{-0.83f, 0.0f, 0.35f, 0.0f}, {0.03f, 0.2f, 0.22f, 0.95f}, {}}, // ribs
        PhantomEllipsoid{{0.83f, 0.0f, 0.35f, 0.0f}, {0.03f, 0.2f, 0.22f, 0.95f}, {}},
        PhantomEllipsoid{{-0.76f, 0.24f, -0.4f, 0.5f}, {0.03f, 0.2f, 0.22f, 0.95f}, {}},
        PhantomEllipsoid{{0.76f, 0.24f, -0.4f, -0.5f}, {0.03f, 0.2f, 0.22f, 0.95f}, {}},
        PhantomEllipsoid{{0.08f, 0.27f, 0.0f, 0.0f},
                         {0.075f, 0.075f, 4.0f, 0.85f},
                         {0.06f, 0.2f, 0.0f, 0.0f}}, // aorta
        PhantomEllipsoid{{0.12f, -0.1f, 0.0f, 0.6f},
                         {0.36f, 0.29f, 0.62f, 0.55f},
                         {0.08f, 0.0f, 0.0f, 0.0f}}, // heart
        PhantomEllipsoid{{0.19f, -0.07f, 0.05f, 0.6f},
                         {0.17f, 0.13f, 0.4f, 0.9f},
                         {0.35f, 0.0f, 0.0f, 0.0f}}, // left ventricle
        PhantomEllipsoid{{-0.03f, -0.16f, 0.1f, 0.9f},
                         {0.12f, 0.08f, 0.33f, 0.82f},
                         {0.3f, 0.05f, 0.0f, 0.0f}}, // right ventricle
        PhantomEllipsoid{{0.06f, 0.06f, -0.3f, 0.2f},
                         {0.13f, 0.09f, 0.2f, 0.85f},
                         {0.2f, 0.5f, 0.0f, 0.0f}}, // atrium, against the beat
    };
    return kParts;
}

void FilterPhantom::describe(PassInfo<FilterPhantom>& info) {
    info.summary("Makes a test volume over time, with and without noise: a thorax with a beating "
                 "heart, or a helix")
        .details(
            "\"thorax\" consists of ellipsoids from 0.05 (lungs) to 0.95 (bones); the ellipsoids "
            "of the heart beat once over the size along w. Edges are a voxel wide. \"helix\" is a "
            "wire around the z axis with a Gaussian profile of maximum 1; it turns once over the "
            "size along w. The array is a box from -1 to 1 for any size. The noise is white and "
            "Gaussian, the same for the same seed.")
        .complexity("O(voxels * parts)")
        .cost([](const FilterPhantom& pass, const Graph&) {
            const double parts = pass.shape == PhantomShape::thorax
                                     ? 45.0 * static_cast<double>(phantom_thorax().size())
                                     : 500.0;
            const double voxels = places_of(pass.size, 1);
            return Cost{.bytes = 8.0 * voxels, .operations = voxels * (parts + 40.0)};
        });
    info.parameter("shape", &FilterPhantom::shape, "shape of the phantom").structural();
    info.parameter("size", &FilterPhantom::size, "voxels along x, y and z; times").structural();
    info.parameter("noise", &FilterPhantom::noise, "standard deviation of the noise").range(0, 1e6);
    info.parameter("seed", &FilterPhantom::seed, "seed of the noise");
    info.parameter("turns", &FilterPhantom::turns, "turns of the helix, from end to end")
        .range(0.1, 100);
    info.parameter("radius", &FilterPhantom::radius, "radius of the helix, half the array being 1")
        .range(0.01, 1);
    info.parameter("width", &FilterPhantom::width,
                   "width of the helix's wire: standard deviation, half the array being 1")
        .range(1e-3, 1);
    info.output("result", &FilterPhantom::result, "with noise, x fastest, f32").elements<float>();
    info.output("reference", &FilterPhantom::reference, "without noise, x fastest, f32")
        .elements<float>();
}

void FilterPhantom::build(Graph& graph) {
    const auto field = tensor_field(graph, size, 1, 1);
    if (!field) return;
    const bool thorax = shape == PhantomShape::thorax;
    ComputeNodeBuilder node =
        graph.compute("filter/phantom", {{"SHAPE", thorax ? "thorax" : "helix"}});
    if (thorax) {
        const auto parts = phantom_thorax();
        node.read("ellipsoids",
                  constant_array(graph, "ellipsoids",
                                 std::vector<PhantomEllipsoid>(parts.begin(), parts.end())));
        node.set("parts", static_cast<std::uint32_t>(parts.size()));
    } else {
        node.set("turns", turns);
        node.set("radius", radius);
        node.set("width", width);
    }
    node.set("size", size);
    node.set("count", field->places);
    node.set("seed", seed);
    node.set("noise", noise);
    result = node.write("result", place_array(graph, "noisy", *field, 1));
    reference = node.write("reference", place_array(graph, "reference", *field, 1));
    node.dispatch_each(field->places);
}

TUFF_PASS(FilterPhantom)

} // namespace tuff::passes
