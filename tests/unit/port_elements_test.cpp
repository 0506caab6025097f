// The element types that ports declare are those that kernels have.

#include "tests/common/scene_builder.hpp"
#include "tests/unit/pass_shaders.hpp"

#include <tuff/scene_resources.hpp>

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>

namespace tuff {
namespace {

const KernelUse* kernel_of(const GraphDesc& graph, const NodeDesc& node) {
    if (node.payload == ~0u) return nullptr;
    const NodePayload& payload = graph.payloads[node.payload];
    if (const auto* compute = std::get_if<ComputeNode>(&payload)) return &compute->kernel;
    if (const auto* raster = std::get_if<RasterNode>(&payload)) return &raster->kernel;
    return nullptr;
}

/// How a kernel sees what a port says.
enum class Seen { the_same, words, otherwise, nothing };

/// GLSL holds bits of any kind in uint, and nothing but floats in float, unless a record mixes
/// them.
Seen seen_as_numbers(const BufferElements& declared, const ShaderBinding& binding) {
    const ElementType type = element_type(binding.scalar);
    const auto is_that = [&](const ElementMember& member) { return member.type == type; };
    if (std::ranges::all_of(declared.members(), is_that)) {
        const std::uint32_t count = declared.members().front().count;
        const bool whole = declared.is_record() || count == binding.element_rows || count == 1 ||
                           binding.element_rows == 1;
        return whole ? Seen::the_same : Seen::otherwise;
    }
    return type == ElementType::u32 || declared.is_record() ? Seen::words : Seen::otherwise;
}

/// Members of a block lie where those of the declared record do.
Seen seen_as_block(const BufferElements& declared, const ShaderBinding& binding) {
    Seen how = Seen::nothing;
    for (const BlockMember& member : binding.members)
        for (const ElementMember& said : declared.members()) {
            if (declared.is_record() && member.offset != said.offset) continue;
            if (element_type(member.scalar) != said.type) return Seen::otherwise;
            how = Seen::the_same;
        }
    return how;
}

Seen seen(const BufferElements& declared, const ShaderBinding& binding) {
    if (binding.kind != BindingKind::storage_buffer) return Seen::nothing;
    return binding.element_rows != 0 ? seen_as_numbers(declared, binding)
                                     : seen_as_block(declared, binding);
}

/// Builds every pass, with arrays, pictures and what other passes have made.
class EveryPass {
  public:
    EveryPass() {
        SceneBuilder scene;
        scene.camera(2.0f);
        scene.quad(scene.material(SceneBuilder::plain()), glm::mat4(1.0f));
        made_.try_emplace("Scene", PortValue::of(add_scene(graph_, "scene",
                                                           pack_scene(std::move(scene).finish()))));
    }

    /// Builds what has not been built, as long as there is progress.
    void run() {
        for (bool progress = true; progress;) {
            progress = false;
            for (const PassDescriptor& pass : registry_.all())
                if (!built_.contains(pass.name) && build(pass)) progress = true;
        }
    }

    const PassRegistry& registry() const { return registry_; }
    /// Ports, as "pass.port", by what the kernels that use them see.
    std::map<std::string, std::set<Seen>> found;
    std::map<std::string, std::string> why_not; ///< by pass that was not built

  private:
    static constexpr std::string_view kTriangleLists = "FragmentLists of triangles";

    /// What is connected beside what must be.
    enum class Optional { all, buffers, none };

    /// Distances, and where what is nearest is.
    Image distances(const PassDescriptor& pass) {
        if (pass.name == "distance/cells")
            return graph_.clear(
                graph_.image("field", {.format = Format::r32_uint, .extent = {16, 16}}),
                std::array<std::uint32_t, 4>{}, "clear");
        return graph_.clear(
            graph_.image("field", {.format = Format::r32_sfloat, .extent = {16, 16}}),
            std::array<float, 4>{}, "clear");
    }

    std::optional<PortValue> argument(const PassDescriptor& pass, const PortInfo& port) {
        if (pass.name.starts_with("distance/") && (port.name == "field" || port.name == "site"))
            return PortValue::of(distances(pass));
        if (port.type == "Image" && port.name == "seed")
            return PortValue::of(
                graph_.clear(graph_.image("seed", {.format = Format::r8_uint, .extent = {16, 16}}),
                             std::array<std::uint32_t, 4>{}, "clear"));
        if (port.type == "Image") {
            ImageDesc desc{.format = port.shape == PortShape::depth_picture ? Format::r32_sfloat
                                                                            : Format::rgba32_sfloat,
                           .extent = {16, 16}};
            return PortValue::of(
                graph_.clear(graph_.image("picture", desc), std::array<float, 4>{}, "clear"));
        }
        if (port.type == "Buffer")
            return PortValue::of(
                graph_.fill(graph_.buffer("array", {.size = 1 << 16, .stride = 16}), 0, "fill"));
        const auto one = made_.find(port.name == "captured" ? kTriangleLists : port.type);
        if (one == made_.end()) return std::nullopt;
        return one->second;
    }

    /// What the pass takes with its parameters at their defaults.
    static BufferElements wanted(const PassDescriptor& pass, const PortInfo& port) {
        if (port.elements.fixed) return port.elements.fixed;
        if (port.elements.parameter.empty()) return {};
        const auto index = pass.find_parameter(port.elements.parameter);
        return BufferElements::named(
            std::get<std::string>(pass.parameters.at(*index).default_value));
    }

    bool build(const PassDescriptor& pass) {
        return build(pass, Optional::all) || build(pass, Optional::buffers) ||
               build(pass, Optional::none);
    }

    bool build(const PassDescriptor& pass, Optional optional) {
        const auto instance = pass.make();
        for (const auto& [name, value] : settings(pass.name))
            if (auto set = instance->set_parameter(*pass.find_parameter(name), value); !set)
                return why_not[pass.name] = to_string(set.error()), false;
        struct Connected {
            const PortInfo* port;
            Buffer buffer;
        };
        std::vector<Connected> connected;
        for (std::size_t i = 0; i < pass.inputs.size(); ++i) {
            const PortInfo& port = pass.inputs[i];
            const bool needed = port.required || (port.list && port.least_wires > 0);
            const bool wished = optional == Optional::all
                                    ? port.type == "Buffer" || made_.contains(port.type)
                                    : optional == Optional::buffers && port.type == "Buffer";
            if (!needed && !wished) continue;
            // One of three kinds of fields.
            if (pass.name.starts_with("isosurface/") && port.name == "voxels") continue;
            const auto value = argument(pass, port);
            if (!value) return why_not[pass.name] = "no " + std::string(port.type), false;
            if (auto set = instance->set_input(i, *value); !set)
                return why_not[pass.name] = to_string(set.error()), false;
            if (const Buffer* buffer = value->get<Buffer>()) connected.push_back({&port, *buffer});
        }
        const std::size_t before = graph_.peek().diagnostics.size();
        instance->build(graph_);
        for (std::size_t i = before; i < graph_.peek().diagnostics.size(); ++i)
            if (graph_.peek().diagnostics[i].severity == Severity::error)
                return why_not[pass.name] = to_string(graph_.peek().diagnostics[i]), false;
        why_not.erase(pass.name);
        built_.insert(pass.name);
        for (const auto& [port, buffer] : connected)
            compare(pass.name + "." + port->name, wanted(pass, *port), buffer.version);
        for (std::size_t i = 0; i < pass.outputs.size(); ++i) {
            const PortValue value = instance->output(i);
            if (const Buffer* buffer = value.get<Buffer>(); buffer && *buffer)
                compare(pass.name + "." + pass.outputs[i].name, value.elements, buffer->version);
            for (const PortMember& member : value.members)
                if (const auto* buffer = std::get_if<Buffer>(&member.resource); buffer && *buffer)
                    compare(pass.name + "." + pass.outputs[i].name + "." + member.name,
                            member.elements, buffer->version);
            // Others work on hierarchies of binary nodes.
            if (value.type == "Bvh" && pass.name != "bvh/lbvh_build") continue;
            // And on meshes that tell of the scene's draws.
            if (value.type == "TriangleMesh" && pass.name != "geometry/triangles") continue;
            // Fragments without colours are for those who give them some.
            const bool triangles = pass.name == "geometry/capture_fragments";
            if (value.type != "Image" && value.type != "Buffer")
                made_.try_emplace(std::string(triangles ? kTriangleLists : value.type), value);
        }
        return true;
    }

    /// What passes need beside their defaults to work on arrays of 2^14 words.
    static std::map<std::string, ParameterValue> settings(std::string_view pass) {
        if (pass == "solver/poisson") return {{"size", std::vector<double>{8, 8, 8}}};
        if (pass == "primitives/map") return {{"expression", std::string("x + y")}};
        if (pass == "primitives/append" || pass == "primitives/compact" ||
            pass == "primitives/partition")
            return {{"predicate", std::string{}}};
        if (pass == "primitives/matmul")
            return {{"rows", std::int64_t{16}},
                    {"columns", std::int64_t{16}},
                    {"inner", std::int64_t{16}}};
        if (pass == "fluid/simple" || pass == "fluid/stable")
            return {{"dims", std::vector<double>{16, 16, 1}}};
        if (pass == "fluid/sparse" || pass == "sparse/bricks")
            return {{"dims", std::vector<double>{16, 16, 16}}};
        if (pass == "fft/real_to_real")
            return {{"x", std::string("cosine")}, {"size", std::vector<double>{64, 8, 1, 1}}};
        if (pass == "filter/network") return {{"kind", std::string("binomial")}};
        if (pass == "filter/register") return {{"size", std::vector<double>{16, 16, 1, 1}}};
        if (pass == "isosurface/marching_cubes" || pass == "isosurface/dual_contouring")
            return {{"dims", std::vector<double>{16, 16, 16}}};
        if (pass == "hair/groom")
            return {{"count", std::int64_t{32}}, {"vertices", std::int64_t{8}}};
        if (pass == "fluid/stats") return {{"kept", std::int64_t{4}}};
        if (pass == "image/resize") return {{"width", std::int64_t{8}}};
        if (pass == "scene/mesh_raster") return {{"samples", std::int64_t{1}}};
        if (pass == "primitives/radix_sort") return {{"with_permutation", true}};
        if (pass == "displacement/cast")
            return {{"method", std::string("deferred")}, {"with_levels", true}};
        if (pass == "raygrid/cast" || pass == "raygrid/whitted") return {{"with_work", true}};
        if (pass == "bvh/cast") return {{"with_work", true}, {"with_ends", true}};
        return {};
    }

    void compare(const std::string& port, const BufferElements& declared, VersionId version) {
        if (!declared) return;
        const GraphDesc& graph = graph_.peek();
        for (const NodeDesc& node : graph.nodes) {
            const KernelUse* kernel = kernel_of(graph, node);
            if (!kernel) continue;
            for (const BindingUse& use : kernel->bindings) {
                if (use.access == BindingUse::kNotConnected) continue;
                const AccessDesc& access = graph.accesses[node.first_access + use.access];
                if (access.read != version && access.written != version) continue;
                const ShaderBinding& binding = kernel->shader->bindings[use.binding];
                const Seen how = seen(declared, binding);
                if (how != Seen::nothing) found[port].insert(how);
                EXPECT_NE(how, Seen::otherwise)
                    << port << " is declared " << declared.text() << ", but \"" << binding.name
                    << "\" of " << kernel->shader->name << " has numbers of type "
                    << element_name(element_type(binding.scalar));
            }
        }
    }

    const PassRegistry registry_ = passes::make_registry();
    Graph graph_{test::pass_shaders()};
    std::map<std::string, PortValue, std::less<>> made_;
    std::set<std::string> built_;
};

TEST(PortElements, AreComparedByWhatGlslCanHold) {
    const auto array_of = [](ScalarType scalar, std::uint32_t rows) {
        return ShaderBinding{.scalar = scalar, .element_rows = rows};
    };
    const auto f32 = BufferElements::of<float>();
    const auto u32 = BufferElements::of<std::uint32_t>();
    EXPECT_EQ(seen(f32, array_of(ScalarType::float32, 1)), Seen::the_same);
    EXPECT_EQ(seen(f32, array_of(ScalarType::float32, 4)), Seen::the_same);
    EXPECT_EQ(seen(f32, array_of(ScalarType::uint32, 4)), Seen::words);
    EXPECT_EQ(seen(u32, array_of(ScalarType::float32, 1)), Seen::otherwise);
    EXPECT_EQ(seen(f32, array_of(ScalarType::int32, 1)), Seen::otherwise);
    EXPECT_EQ(seen(BufferElements::of<glm::vec2>(), array_of(ScalarType::float32, 4)),
              Seen::otherwise);
    ShaderBinding block;
    block.members = {{.name = "kind", .scalar = ScalarType::uint32}};
    EXPECT_EQ(seen(u32, block), Seen::the_same);
    EXPECT_EQ(seen(f32, block), Seen::otherwise);
}

TEST(PortElements, AreThoseThatKernelsHave) {
    EveryPass every;
    every.run();
    std::vector<std::string> missing;
    for (const auto& [pass, why] : every.why_not)
        missing.push_back(pass);
    EXPECT_THAT(missing, testing::ElementsAre(       //
                             "bodies/move_nodes",    // wants names of nodes
                             "bvh/hardware_build",   // no device without rays has it
                             "hair/read",            // reads a file
                             "jpeg/decode",          // reads a file
                             "lights/buffers",       // wants buffers of one length
                             "lights/heat",          // a grid of lists
                             "mpi/exchange",         // a part of a field of so many cells
                             "mpi/gather",           //
                             "mpi/poisson",          //
                             "mpi/poisson_fft",      //
                             "mpi/scatter",          // a field of so many cells
                             "occlusion/ambient",    // volumes, which are pictures here
                             "occlusion/colors",     //
                             "occlusion/cones",      //
                             "occlusion/cube_means", //
                             "occlusion/followed",   //
                             "occlusion/opacity",    //
                             "occlusion/rays",       //
                             "occlusion/refined",    //
                             "occlusion/spheres",    //
                             "oit/moments",          // keeps lists, too large for no device
                             "raygrid/heat_map",     // a picture of as many rays
                             "subdivision/adaptive", // a cage
                             "subdivision/cage",     // constant indices
                             "subdivision/uniform",  // a cage
                             "terrain/cull",         // the tree of terrain/quadtree
                             "terrain/draw",         //
                             "terrain/map",          //
                             "terrain/quadtree",     // wide keys, for the surface is a planet
                             "volume/cast",          // volumes
                             "volume/oblique",       //
                             "volume/projection",    //
                             "volume/slice"));

    std::vector<std::string> unseen;
    for (const PassDescriptor& pass : every.registry().all())
        for (const auto* ports : {&pass.inputs, &pass.outputs})
            for (const PortInfo& port : *ports) {
                const bool says = !port.elements.text().empty() && port.elements.like.empty();
                if (port.type == "Buffer" && says &&
                    !every.found.contains(pass.name + "." + port.name))
                    unseen.push_back(pass.name + "." + port.name);
            }
    EXPECT_THAT(unseen, testing::ElementsAre(                //
                            "bodies/simulate.residuals",     // not asked for
                            "bodies/solve.residuals",        // not asked for
                            "bvh/cast.left",                 // of instances
                            "bvh/cast.hit_instances",        //
                            "displacement/shapes.materials", // read by tracers
                            "fft/to_image.source",           // typed by what it is said to hold
                            "filter/kernel.kernel",          // made and
                            "filter/network.kernel",         // read by the CPU
                            "fluid/stats.speeds",            // copied together
                            "fluid/stats.masses",            //
                            "fluid/stats.energies",          //
                            "fluid/stats.divergences",       //
                            "fluid/stats.curls",             //
                            "hair/colliders.moving",         // handed on
                            "hair/read.file",                // not built
                            "image/seamless_clone.status",   //
                            "jpeg/decode.file",              // not built
                            "lights/buffers.spheres",        // not built
                            "lights/buffers.shades",         //
                            "mapping/field.values",          // of a volume in bricks
                            "mapping/tsdf.first",            // not built
                            "mapping/tsdf.status",           //
                            "mapping/tsdf.brick_status",     // of a volume in bricks
                            "mpi/all_reduce.source",         // copied, or read by the CPU
                            "mpi/all_reduce.result",         //
                            "mpi/exchange_bricks.field",     // copied, if there is one
                            "mpi/exchange_bricks.result",    //
                            "mpi/fft_forward.source",        // typed by what it is said to hold
                            "mpi/fft_forward.box",           // copied
                            "mpi/gather_bricks.field",       // as those of exchange_bricks
                            "mpi/gather_bricks.result",      //
                            "mpi/poisson.residual",          // not built
                            "mpi/poisson.status",            //
                            "mpi/poisson.residuals",         //
                            "particles/integrate.forces",    // of particles without bodies
                            "primitives/append.source",      // typed by a predicate alone
                            "primitives/compact.source",     //
                            "primitives/partition.source",   //
                            "raygrid/heat_map.work",         // not built
                            "scene/with_vertices.vertices",  // handed on
                            "sparse/audit.totals",           //
                            "sparse/audit.active",           // copied together
                            "sparse/audit.fresh",            //
                            "sparse/audit.refused",          //
                            "sparse/audit.evicted",          //
                            "sparse/gather.field",           // typed by "cell" alone
                            "sparse/halo.field",             //
                            "sparse/scatter.source",         //
                            "subdivision/adaptive.normals",  // not built
                            "subdivision/adaptive.corner_normals", //
                            "subdivision/adaptive.tags",           //
                            "subdivision/adaptive.draw",           //
                            "subdivision/adaptive.status",         //
                            "subdivision/cage.indices",            //
                            "subdivision/cage.positions",          //
                            "subdivision/uniform.normals",         //
                            "terrain/heights.numbers",             // not built
                            "terrain/quadtree.eyes",               //
                            "volume/cast.range",                   // not built
                            "volume/cast.eye",                     // of a part
                            "volume/cast.histogram"))
        << fmt::format("{}", fmt::join(unseen, "\n")); // GoogleTest prints a few

    std::vector<std::string> words;
    for (const auto& [port, how] : every.found)
        if (!how.contains(Seen::the_same)) words.push_back(port);
    // Records of floats and whole numbers, which kernels load as quads or pairs.
    EXPECT_THAT(words, testing::ElementsAre(                             //
                           "bvh/cast.hits",                              //
                           "bvh/cast.rays",                              //
                           "bvh/instances.instances",                    //
                           "displacement/cast.before",                   //
                           "displacement/cast.hits",                     //
                           "displacement/cast.rays",                     //
                           "displacement/surface.instances",             // of bvh/instances
                           "geometry/capture_fragments.lists.fragments", //
                           "geometry/mesh_file.normals",                 // copied
                           "hair/colliders.colliders.motions",           // handed on
                           "hair/colliders.colliders.places",            //
                           "hair/colliders.colliders.rest",              //
                           "hair/colliders.colliders.turns",             //
                           "octree/fuse.points",                         //
                           "octree/keys.points",                         //
                           "raygrid/cast.hits",                          //
                           "raygrid/cast.rays",                          //
                           "raytrace/primary.rays",                      //
                           "sparse/gather.result",                       // copied
                           "sparse/halo.result",                         //
                           "sparse/scatter.field"));
}

} // namespace
} // namespace tuff
