#pragma once

#include <tuff/device_caps.hpp>
#include <tuff/graph_desc.hpp>
#include <tuff/node_builders.hpp>
#include <tuff/resources.hpp>
#include <tuff/shader_variant.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// Building a graph: resources are values, a write returns a new one.
///
///     Graph graph(shaders, device.caps());
///     Image hdr = graph.add(MeshRaster{.scene = engine, .camera = camera}).color;
///     Image ldr = graph.add(Tonemap{.source = hdr, .exposure = 1.5f}).result;
///     graph.output("picture", ldr);
///     Result<Run> run = Run::start(device, shaders, std::move(graph)); // tuff/run.hpp
///
/// Mistakes do not throw and do not stop the building; they are collected, and `Run::start`, or
/// `compile` in the layer below it, reports all of them together.
namespace tuff {

template <typename State>
struct Repeated;
template <typename Pass>
class PassInfo;
namespace detail {
class GatedLoop;
class PassDescription;

/// A pass that describes itself (tuff/pass.hpp).
template <typename Pass>
concept Described = requires(PassInfo<Pass>& info) {
    Pass::describe(info);
};
/// What `Pass::describe` says, asked once.
template <typename Pass>
const PassDescription& description_of();
} // namespace detail

/// A graph under construction. Movable, not thread-safe; any number may exist.
class Graph {
  public:
    /// `shaders` must outlive the graph and every description and plan made from it.
    explicit Graph(const ShaderInterfaces& shaders) : shaders_(&shaders) {}
    /// A graph for a device: the same, and `set_target(caps)`.
    Graph(const ShaderInterfaces& shaders, const DeviceCaps& caps)
        : shaders_(&shaders), target_(caps) {}
    /// A graph whose nodes are custom, transfer and empty ones only.
    Graph() = default;

    /// What the device can do that the graph is meant for. Unless it is said, that is what every
    /// device can do. Passes that have faster kernels for some devices choose by it.
    void set_target(const DeviceCaps& caps) { target_ = caps; }
    /// See `set_target`.
    const DeviceCaps& target() const { return target_; }

    // --- resources ---------------------------------------------------------------------------
    /// A transient image, contents undefined.
    Image image(std::string_view name, const ImageDesc& desc);
    /// A transient buffer, contents undefined.
    Buffer buffer(std::string_view name, const BufferDesc& desc);

    /// A resource whose contents never change: textures, vertex data, tables.
    Image constant_image(std::string_view name, const ImageDesc& desc,
                         std::shared_ptr<const std::vector<std::byte>> texels);
    /// A buffer whose contents never change.
    Buffer constant_buffer(std::string_view name, const BufferDesc& desc,
                           std::shared_ptr<const std::vector<std::byte>> bytes);

    /// A resource whose last version stays readable in the next `depth` executions, 1 to
    /// kMaxHistoryDepth. Before the first, `previous` holds `clear`.
    ImageHistory history_image(std::string_view name, const ImageDesc& desc,
                               std::uint32_t depth = 1, ClearValue clear = std::array<float, 4>{});
    /// The same for a buffer. All its words are `clear_word` at first.
    BufferHistory history_buffer(std::string_view name, const BufferDesc& desc,
                                 std::uint32_t depth = 1, std::uint32_t clear_word = 0);

    /// A resource of the host's. Its handle is given to the executor by this name.
    Image import_image(std::string_view name, const ImageDesc& desc, const ImportState& state);
    /// A buffer of the host's.
    Buffer import_buffer(std::string_view name, const BufferDesc& desc, const ImportState& state);

    /// Unconnected images have no format and no size in bytes; those of a failed pass are as small
    /// as an image can be.
    ImageDesc desc(Image image) const;
    /// Unconnected buffers have no size; those of a failed pass are as small as a buffer can be.
    BufferDesc desc(Buffer buffer) const;
    /// Size in texels of mip 0; of what is not connected 1 x 1.
    Extent extent(Image image) const { return desc(image).extent; }

    // --- nodes -------------------------------------------------------------------------------
    /// Adds a pass: runs its `build` under its own scope and returns it with its outputs set.
    /// `name` defaults to the last part of the pass's name.
    ///
    /// First the pass is checked against its own `describe`: required inputs, the kinds of picture
    /// that inputs take, ranges and choices of parameters. Where something is wrong it is reported
    /// and nothing is built. The outputs of a pass that failed, in the check or in its `build`, are
    /// invalid: nodes and passes that use them report nothing more. Codes: `graph/unconnected`,
    /// `pass/out-of-range`, `pass/unknown-choice`, `image/not-two-dimensional`,
    /// `image/unsupported-format`.
    template <typename Pass>
    Pass add(Pass pass, std::string_view name = {});

    /// Adds a kernel node. `name` defaults to the last part of `shader`, without its variant.
    ComputeNodeBuilder compute(std::string_view shader, std::string_view name = {});
    /// Adds a node that runs a variant of the kernel.
    ComputeNodeBuilder compute(std::string_view shader, const ShaderVariant& variant,
                               std::string_view name = {});
    /// Adds a node that draws. `name` defaults to the last part of `shader`, without its variant.
    RasterNodeBuilder raster(std::string_view shader, std::string_view name = {});
    /// Adds a node that draws by a variant of the kernel.
    RasterNodeBuilder raster(std::string_view shader, const ShaderVariant& variant,
                             std::string_view name = {});

    /// Adds a node that runs the ray kernel `shader`: its ray generation stage, and what that
    /// calls. `name` defaults to the last part of `shader`. Compiling fails with
    /// graph/no-ray-pipeline where the device has no ray-tracing pipelines.
    RayNodeBuilder rays(std::string_view shader, std::string_view name = {});
    /// Adds a node that runs a variant of the ray kernel.
    RayNodeBuilder rays(std::string_view shader, const ShaderVariant& variant,
                        std::string_view name = {});

    /// Copies texels; `destination` gets those of `source`, mip for mip of equal size.
    [[nodiscard]] Image copy(ImageView source, ImageView destination, std::string_view name = {});
    /// Copies bytes; both views have the same size.
    [[nodiscard]] Buffer copy(BufferView source, BufferView destination,
                              std::string_view name = {});
    /// Copies packed texels into one mip and layer of an image.
    [[nodiscard]] Image copy_to_image(BufferView source, ImageView destination,
                                      std::string_view name = {});
    /// Copies one mip and layer of an image as packed texels.
    [[nodiscard]] Buffer copy_to_buffer(ImageView source, BufferView destination,
                                        std::string_view name = {});
    /// A box of texels.
    struct Box {
        std::array<std::int32_t, 3> low{};  ///< texels, inclusive
        std::array<std::int32_t, 3> high{}; ///< texels, exclusive
    };
    /// Scales the whole of `source` into a box of `destination`, by default all of it.
    [[nodiscard]] Image blit(ImageView source, ImageView destination, Filter filter,
                             std::optional<Box> destination_box = {}, std::string_view name = {});
    /// Clears a colour or depth image.
    [[nodiscard]] Image clear(ImageView target, ClearValue value, std::string_view name = {});
    /// Fills with one word, over and over.
    [[nodiscard]] Buffer fill(BufferView target, std::uint32_t word, std::string_view name = {});
    /// Uploads bytes from the host in every execution.
    [[nodiscard]] Buffer upload(BufferView target,
                                std::shared_ptr<const std::vector<std::byte>> bytes,
                                std::string_view name = {});
    /// Builds both levels of an acceleration structure, for a fast build, in every execution:
    /// nodes "name_bottom" and "name_top". Error, and nothing is built: graph/no-acceleration where
    /// the target builds none or the triangles are too many.
    [[nodiscard]] Acceleration build_acceleration(const AccelerationInput& input,
                                                  std::string_view name = "acceleration");
    /// A node the host records through `record`; without one, a node that does nothing.
    CustomNodeBuilder custom(std::string_view name,
                             std::function<void(CommandContext&)> record = {});

    // --- loops (tuff/repeat.hpp) ---------------------------------------------------------------
    /// Builds `body(state, i)` `count` times, each on the state that the one before returned.
    /// `State` is anything; nodes are named "name[i]/...". Error: graph/too-many-nodes.
    template <typename State, typename Body>
    State repeat(std::string_view name, std::uint32_t count, State state, Body&& body);

    /// Builds up to `max` iterations of `body(state, i)`, which returns `Step{state, done}`. The
    /// device decides how many run: once an iteration has set the first word of its `done`, the
    /// kernels of all later ones are dispatched with no groups. The result is the state after the
    /// last iteration that ran, and their number; it is that of as many iterations of `repeat`.
    /// Where the optional `done` is non-zero beforehand, none runs.
    ///
    /// `State` is an Image, a Buffer, or a std::tuple or std::vector of these. A part that the body
    /// updates in place costs nothing; one that it returns in another resource is copied by a
    /// kernel each time. What an iteration makes ends with it: outside, only the state may be read
    /// (graph/loop-escape). The body may also update resources from outside in place. It has
    /// compute nodes, and transfers into what the iteration made; others cannot be skipped
    /// (graph/ungated-node). Loops nest.
    template <typename State, typename Body>
    Repeated<State> repeat_until(std::string_view name, std::uint32_t max, State state, Body&& body,
                                 std::optional<BufferView> done = {});

    // --- results -----------------------------------------------------------------------------
    /// Keeps `image` until the host has read it, under `name`, from the finished execution.
    void output(std::string_view name, Image image, Access access = Access::copy_read);
    /// Keeps `buffer`; `elements` says what it consists of.
    void output(std::string_view name, Buffer buffer, Access access = Access::copy_read,
                const BufferElements& elements = {});
    /// Says what pools should have room for: what executions of graphs like this one have needed
    /// (`GraphRunner::pools`).
    void set_pools(PoolSizes sizes) { pools_ = std::move(sizes); }

    // --- names and queues --------------------------------------------------------------------
    /// Names of nodes and resources are prefixed with "scope/" until the matching `pop_scope`.
    void push_scope(std::string_view scope);
    /// Ends the scope that was pushed last.
    void pop_scope();
    /// Nodes added until the matching `pop_queue` ask for this queue, those of passes included; the
    /// innermost one holds.
    void push_queue(QueueHint queue) { queues_.push_back(queue); }
    /// Ends the wish that was pushed last.
    void pop_queue() { queues_.pop_back(); }
    /// The parameters of nodes added until the matching `pop_changing` are others in each frame, so
    /// that these nodes are never run once for many (`CompileOptions::constant`). It is a matter of
    /// time alone: what constant work is given may change, too.
    void push_changing() { ++changing_; }
    /// Ends what was begun last.
    void pop_changing() { --changing_; }

    /// The finished description, for `compile` and `GraphRunner::take`; `Run` calls it itself. The
    /// graph is spent. Where nothing else is wrong, warnings are added for nodes outside of passes
    /// and scopes: graph/parameter-not-set (a kernel's parameter that no `set` was given) and
    /// graph/no-draws (a raster node that draws nothing).
    GraphDesc finish() &&;

    /// @name For authors of passes
    /// What `build` of a pass calls beside the above; programs that only build graphs need none.
    /// @{

    /// Records a mistake of the caller: a pass's `build` reports with it what `describe` cannot
    /// say. An error is left out where it follows from that of a pass inside the one being built.
    void report(Diagnostic diagnostic);
    /// Records an error; see `report`.
    void error(std::string code, std::string message, std::string hint = {});
    /// "bloom/blur", for messages.
    std::string_view scope() const {
        return std::string_view(scope_).substr(0, scope_.empty() ? 0 : scope_.size() - 1);
    }
    /// Where kernels are looked up; null: nowhere.
    const ShaderInterfaces* shaders() const { return shaders_; }
    /// Has `Executor::warnings` tell what `words` say: `Status::read(std::span<const
    /// std::uint32_t>)` and its `warnings()`. A status is told under the name of the pass that
    /// calls this; where a pass says it of words that a pass inside has said it of, the outer one
    /// counts. It keeps nothing from being culled, and there is none where the words are of an
    /// iteration that the device may skip, are overwritten later, or belong to a history.
    ///
    /// Where `Status` is a `SharedStruct`, the blocks of all kernels that wrote the words are
    /// compared with it; arrays of words are not, for they name nothing.
    ///
    /// A status of a pass with pools also has `pool_needs()`, a `std::vector<PoolNeed>` of those
    /// that were too small: see `pool`.
    template <typename Status>
    void status(Buffer words) {
        PoolReader pools = nullptr;
        if constexpr (requires(const Status& status) { status.pool_needs(); })
            pools = [](std::span<const std::uint32_t> on_host) {
                return Status::read(on_host).pool_needs();
            };
        const StatusReader::Function reader = [](std::span<const std::uint32_t> on_host) {
            return Status::read(on_host).warnings();
        };
        if constexpr (SharedStruct<Status>) match_status(words.version, layout_of<Status>());
        add_status(words.version, reader, pools);
    }

    /// The same for words whose meaning is known only once the graph is built.
    void status(Buffer words, StatusReader reader) { add_status(words.version, reader, nullptr); }
    /// For how many elements the pool `name` of the pass that is being built should have room:
    /// `wanted`, or what `set_pools` says if that is more. So a pool grows when the graph is built
    /// again, but to no more than a storage buffer of the target, or a quarter of its memory,
    /// holds.
    std::uint64_t pool(std::string_view name, std::uint64_t wanted,
                       std::uint64_t element_bytes) const;

    /// @}
    /// @name For tools that edit graphs
    /// @{

    /// Goes on with a description that another graph has finished. Its versions are handles here,
    /// those of loops' iterations, too; passes and loops that it came from are closed.
    Graph(GraphDesc begun, const ShaderInterfaces& shaders)
        : shaders_(&shaders), desc_(std::move(begun)), begun_nodes_(desc_.nodes.size()) {}
    /// What has been built so far.
    const GraphDesc& peek() const { return desc_; }

    /// @}

  private:
    friend class KernelNode;
    friend class ComputeNodeBuilder;
    friend class RasterNodeBuilder;
    friend class RayNodeBuilder;
    friend class CustomNodeBuilder;
    friend class detail::GatedLoop;
    friend class detail::PassDescription;

    NameRef intern(std::string_view name);
    /// `depth`, or 1 and a report where no history can be so deep.
    std::uint32_t checked_depth(std::string_view name, std::uint32_t depth);
    VersionId add_resource(std::string_view name, ResourceDesc&& resource);
    NodeId add_node(std::string_view name);
    /// Reports graph/unconnected, unless `version` comes from a pass whose failure was reported.
    void report_unconnected(VersionId version, std::string message, std::string hint = {});
    /// Checks the pass, builds it, and makes its outputs invalid where either fails.
    void build_described(const detail::PassDescription& description, void* pass);
    void report_no_room(const NodeDesc& node, bool moves);
    std::uint32_t add_access(NodeId node, const AccessDesc& access);
    std::uint32_t add_read(NodeId node, VersionId version, const Range& range, Access access,
                           StageMask shader_stages);
    struct Written {
        VersionId version;
        std::uint32_t access;
    };
    /// `view` without what lies before `offset` and after `size` bytes from there; as it is where
    /// it is shorter than that.
    BufferView narrowed(BufferView view, std::uint64_t offset, std::uint64_t size) const;
    Written add_write(NodeId node, VersionId version, const Range& range, Access access,
                      StageMask shader_stages);
    struct Transfer {
        NodeId node;
        VersionId result;
        std::uint32_t source = ~0u;
        std::uint32_t destination = ~0u;
        bool complete() const { return source != ~0u && destination != ~0u; }
    };
    Transfer add_transfer(std::string_view name, VersionId source, const Range& source_range,
                          Access source_access, VersionId destination,
                          const Range& destination_range, Access destination_access);
    void attach_payload(NodeId node, NodePayload payload);
    void copy_mismatch(NodeId node, std::string_view why);
    NodeId add_kernel_node(std::string_view shader, std::string_view name,
                           const ShaderInterface* interface, NodePayload payload);
    bool suits(VersionId version, Access access) const;
    void add_output(std::string_view name, VersionId version, Access access,
                    const BufferElements& elements = {});
    void add_status(VersionId version, StatusReader reader, PoolReader pools);
    void match_status(VersionId version, const StructLayout& layout);
    void match_struct(NodeId node, std::string_view binding, std::span<const BlockMember> members,
                      const StructLayout& layout);
    KernelUse* kernel_of(NodeId node);
    /// Notes that the parameter at this byte of `desc_.parameters` was given.
    void mark_given(std::size_t parameter_byte);
    void warn_of_kernel(NodeId node, const KernelUse& kernel);
    void warn_of_nodes();
    std::optional<Buffer> room_for_assertions(std::string_view node, const ShaderInterface* kernel);
    void count_assertions(NodeId node, Buffer words);
    /// Opens the scope "name[i]", or returns false where loops have made the graph too large.
    bool begin_iteration(std::string_view name, std::uint32_t i);
    /// An iteration that the device may skip made this resource, and it is no longer open.
    bool has_ended(VersionId version) const {
        const std::uint32_t resource = desc_.versions[version.index].resource.index;
        return resource < made_in_.size() && made_in_[resource] != 0 &&
               !is_open(made_in_[resource]);
    }
    bool is_open(std::uint32_t iteration) const;
    void report_ended(std::string_view user, VersionId version);
    template <typename Payload>
    Payload& payload_of(NodeId node) {
        return std::get<Payload>(desc_.payloads[desc_.nodes[node.index].payload]);
    }

    const ShaderInterfaces* shaders_ = nullptr;
    DeviceCaps target_;
    GraphDesc desc_;
    std::size_t begun_nodes_ = 0; ///< of `desc_`, that another graph has finished
    std::vector<bool> given_;     ///< per byte of `desc_.parameters`: a parameter that was set
    std::string scope_;
    std::vector<std::size_t> scope_lengths_;
    std::vector<QueueHint> queues_;
    std::uint32_t changing_ = 0; ///< how many `push_changing` are open
    /// A pass inside the one that is being built has failed: whatever else goes wrong there follows
    /// from it.
    bool inner_failed_ = false;
    std::uint32_t building_ = 0; ///< passes, each inside the one before

    // Loops. An iteration that may be skipped is known by a number from 1 on.
    struct OpenIteration {
        std::uint32_t number = 0;
        Buffer stopped; ///< one word, non-zero where the iteration is skipped
    };
    std::vector<OpenIteration> open_iterations_; ///< the innermost last
    std::vector<std::uint32_t> made_in_;         ///< by resource; shorter where none follows
    std::vector<bool> gated_; ///< by node: skipped by its own loop, so the outer ones need not
    std::uint32_t gated_iterations_ = 0;
    std::uint32_t repeated_ = 0; ///< iterations of all loops
    bool too_large_ = false;

    PoolSizes pools_;
};

template <typename Pass>
Pass Graph::add(Pass pass, std::string_view name) {
    push_scope(name.empty() ? Pass::kName.substr(Pass::kName.rfind('/') + 1) : name);
    if constexpr (detail::Described<Pass>)
        build_described(detail::description_of<Pass>(), &pass);
    else
        pass.build(*this);
    pop_scope();
    return pass;
}

} // namespace tuff

#include <tuff/repeat.hpp> // the loops of Graph
