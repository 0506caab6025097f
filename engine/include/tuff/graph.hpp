#pragma once

#include <tuff/device_caps.hpp>
#include <tuff/graph_desc.hpp>
#include <tuff/node_builders.hpp>
#include <tuff/ranks.hpp>
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
/// Mistakes do not throw and do not stop the build; they are collected, and `Run::start`, or
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
/// The description from `Pass::describe`, made once.
template <typename Pass>
const PassDescription& description_of();
} // namespace detail

/// A graph under construction. Movable, not thread-safe; any number can exist.
class Graph {
  public:
    /// `shaders` must outlive the graph and every description and plan made from it.
    explicit Graph(const ShaderInterfaces& shaders) : shaders_(&shaders) {}
    /// A graph for a device: the same, and `set_target(caps)`.
    Graph(const ShaderInterfaces& shaders, const DeviceCaps& caps)
        : shaders_(&shaders), target_(caps) {}
    /// A graph whose nodes are custom, transfer and empty ones only.
    Graph() = default;

    /// Limits and features of the target device; by default those that every device has.
    /// Passes choose faster kernels by them.
    void set_target(const DeviceCaps& caps) { target_ = caps; }
    /// See `set_target`.
    const DeviceCaps& target() const { return target_; }

    /// The processes that work on the graph's fields together; by default this one alone.
    /// `Ranks::communicator` must outlive the graph and every plan made from it.
    void set_ranks(const Ranks& ranks) { ranks_ = ranks; }
    /// See `set_ranks`.
    const Ranks& ranks() const {
        ++rank_queries_;
        return ranks_;
    }

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

    /// Says that an image is this rank's part of a field (`set_ranks`). Checkpoints of a history
    /// that is one hold the whole field, so that any number of ranks can go on. Error:
    /// mpi/part-size.
    void set_part(Image image, const FieldPart& part);
    /// The same for a buffer with as many bytes for each cell, x fastest.
    void set_part(Buffer buffer, const FieldPart& part);

    /// A resource of the host, which gives its handle to the executor by this name.
    Image import_image(std::string_view name, const ImageDesc& desc, const ImportState& state);
    /// A buffer of the host.
    Buffer import_buffer(std::string_view name, const BufferDesc& desc, const ImportState& state);

    /// Unconnected images have no format; those of a failed pass have the smallest
    /// possible size.
    ImageDesc desc(Image image) const;
    /// Unconnected buffers have no size; those of a failed pass have the smallest possible size.
    BufferDesc desc(Buffer buffer) const;
    /// Size in texels of mip 0; 1 x 1 if unconnected.
    Extent extent(Image image) const { return desc(image).extent; }

    // --- nodes -------------------------------------------------------------------------------
    /// Adds a pass: runs its `build` under its own scope and returns it with its outputs set.
    /// `name` defaults to the last part of the pass's name.
    ///
    /// First the pass is checked against its own `describe`: required inputs, shapes of images,
    /// ranges and choices of parameters. Mistakes are reported, and then
    /// nothing is built. The outputs of a pass that failed, in the check or in its `build`, are
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

    /// Adds a node that runs the ray kernel `shader`: its ray generation stage and the stages
    /// that it calls. `name` defaults to the last part of `shader`. Compiling fails with
    /// graph/no-ray-pipeline if the device has no ray-tracing pipelines.
    RayNodeBuilder rays(std::string_view shader, std::string_view name = {});
    /// Adds a node that runs a variant of the ray kernel.
    RayNodeBuilder rays(std::string_view shader, const ShaderVariant& variant,
                        std::string_view name = {});

    /// Copies texels from `source` to `destination`, mip by mip of equal sizes.
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
    /// nodes "name_bottom" and "name_top". Error: graph/no-acceleration if the target has no
    /// acceleration structures or there are too many triangles; then nothing is built.
    [[nodiscard]] Acceleration build_acceleration(const AccelerationInput& input,
                                                  std::string_view name = "acceleration");
    /// A node that the host records through `record`; without it, a node that does nothing.
    CustomNodeBuilder custom(std::string_view name,
                             std::function<void(CommandContext&)> record = {});
    /// A node that runs on the host, between nodes of the device: `function` gets the bytes of the
    /// buffers that the node declares. Work of the device that does not depend on it goes on.
    /// See `HostTask` for what it may do.
    HostNodeBuilder host(std::string_view name,
                         std::function<Result<void>(const HostBuffers&)> function);
    /// The same with work that can be compared, so that a graph that is built again for the next
    /// frame can have the same structure.
    HostNodeBuilder host(std::string_view name, std::shared_ptr<HostTask> task);
    /// For a node that exchanges messages with other ranks, after its reads and writes. It runs
    /// after all nodes that were given here before, so that the ranks exchange in one order, and is
    /// never culled. Returns the tag of its messages: the same on all ranks, if they build the same
    /// graph.
    std::int32_t order_messages(HostNodeBuilder& node);

    // --- loops (tuff/repeat.hpp) ---------------------------------------------------------------
    /// Builds `body(state, i)` `count` times, each on the state that the one before returned.
    /// `State` is anything; nodes are named "name[i]/...". Error: graph/too-many-nodes.
    template <typename State, typename Body>
    State repeat(std::string_view name, std::uint32_t count, State state, Body&& body);

    /// Builds up to `max` iterations of `body(state, i)`, which returns `Step{state, done}`. The
    /// device decides how many run: once an iteration has set the first word of its `done`, the
    /// kernels of all later ones are dispatched with no groups. The result is the state after the
    /// last iteration that ran, and the number of iterations; `repeat` with that count gives the
    /// same state. If the optional `done` is non-zero beforehand, no iteration runs.
    ///
    /// `State` is an Image, a Buffer, or a std::tuple or std::vector of these. A part that the body
    /// updates in place costs nothing; a kernel copies a part that it returns in another resource,
    /// in each iteration. Resources of an iteration end with it: outside, only the state can be
    /// read (graph/loop-escape). The body can also update resources from outside in place. It may
    /// have compute nodes, and transfers into resources that the iteration made; other nodes
    /// cannot be skipped (graph/ungated-node). Loops nest.
    template <typename State, typename Body>
    Repeated<State> repeat_until(std::string_view name, std::uint32_t max, State state, Body&& body,
                                 std::optional<BufferView> done = {});

    // --- results -----------------------------------------------------------------------------
    /// Keeps `image` until the host has read it, under `name`, from the finished execution.
    void output(std::string_view name, Image image, Access access = Access::copy_read);
    /// Keeps `buffer`; `elements` is the type of its elements.
    void output(std::string_view name, Buffer buffer, Access access = Access::copy_read,
                const BufferElements& elements = {});
    /// Sets the sizes of pools: those that executions of graphs like this one needed
    /// (`GraphRunner::pools`).
    void set_pools(PoolSizes sizes) { pools_ = std::move(sizes); }

    // --- names and queues --------------------------------------------------------------------
    /// Names of nodes and resources are prefixed with "scope/" until the matching `pop_scope`.
    void push_scope(std::string_view scope);
    /// Ends the scope that was pushed last.
    void pop_scope();
    /// Nodes added until the matching `pop_queue` ask for this queue, including those of passes;
    /// the innermost queue holds.
    void push_queue(QueueHint queue) { queues_.push_back(queue); }
    /// Ends the queue that was pushed last.
    void pop_queue() { queues_.pop_back(); }
    /// Nodes added until the matching `pop_changing` have other parameters in each frame, so they
    /// are never constant work (`CompileOptions::constant`). This only affects
    /// speed: parameters of constant work can change, too.
    void push_changing() { ++changing_; }
    /// Ends the last `push_changing`.
    void pop_changing() { --changing_; }

    /// The finished description, for `compile` and `GraphRunner::take`; `Run` calls it itself. The
    /// graph is empty afterwards. If there are no errors, warnings are added for nodes outside of
    /// passes and scopes: graph/parameter-not-set (a kernel's parameter without a `set`) and
    /// graph/no-draws (a raster node that draws nothing).
    GraphDesc finish() &&;

    /// @name For authors of passes
    /// More functions for `build` of a pass; programs that only build graphs do not need them.
    /// @{

    /// Reports a mistake of the caller: for checks in a pass's `build` that `describe` cannot
    /// express. An error is dropped if a pass inside the one being built has failed.
    void report(Diagnostic diagnostic);
    /// Records an error; see `report`.
    void error(std::string code, std::string message, std::string hint = {});
    /// "bloom/blur", for messages.
    std::string_view scope() const {
        return std::string_view(scope_).substr(0, scope_.empty() ? 0 : scope_.size() - 1);
    }
    /// The library of kernels; may be null.
    const ShaderInterfaces* shaders() const { return shaders_; }
    /// Declares `words` as a status, which `Executor::warnings` reads with
    /// `Status::read(std::span<const std::uint32_t>)` and its `warnings()`. Messages have the name
    /// of the pass that calls this; if an inner and an outer pass declare the same words, the outer
    /// one counts. A status does not keep nodes from being culled. Words of an iteration that can
    /// be skipped, words that are overwritten later, and words of a history are ignored.
    ///
    /// If `Status` is a `SharedStruct`, it is compared with the blocks of kernels that wrote the
    /// words; arrays of words have no names to compare.
    ///
    /// A status of a pass with pools also has `pool_needs()`, a `std::vector<PoolNeed>` of pools
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

    /// The same with a reader that is made while the graph is built.
    void status(Buffer words, StatusReader reader) { add_status(words.version, reader, nullptr); }
    /// Elements that the pool `name` of the pass being built should have room for:
    /// `wanted`, or the size from `set_pools` if that is more. So a pool grows when the graph is
    /// built again, at most to a storage buffer of the target or a quarter of its memory.
    std::uint64_t pool(std::string_view name, std::uint64_t wanted,
                       std::uint64_t element_bytes) const;

    /// @}
    /// @name For tools that edit graphs
    /// @{

    /// Goes on with a finished description. Its versions are valid handles here,
    /// including those of loops' iterations; its passes and loops are closed.
    Graph(GraphDesc begun, const ShaderInterfaces& shaders)
        : shaders_(&shaders), desc_(std::move(begun)), begun_nodes_(desc_.nodes.size()) {}
    /// The description so far.
    const GraphDesc& peek() const { return desc_; }
    /// How often `ranks` was called. A pass that calls it while it is built knows about ranks.
    std::uint64_t rank_queries() const { return rank_queries_; }

    /// @}

  private:
    friend class KernelNode;
    friend class ComputeNodeBuilder;
    friend class RasterNodeBuilder;
    friend class RayNodeBuilder;
    friend class CustomNodeBuilder;
    friend class HostNodeBuilder;
    friend class detail::GatedLoop;
    friend class detail::PassDescription;

    NameRef intern(std::string_view name);
    bool is_divisible(const FieldPart& part);
    void keep_part(VersionId version, const FieldPart& part);
    /// `depth`, or 1 and a report if no history can be so deep.
    std::uint32_t checked_depth(std::string_view name, std::uint32_t depth);
    VersionId add_resource(std::string_view name, ResourceDesc&& resource);
    NodeId add_node(std::string_view name);
    /// Reports graph/unconnected, unless `version` comes from a pass whose failure was reported.
    void report_unconnected(VersionId version, std::string message, std::string hint = {});
    /// Checks the pass, builds it, and makes its outputs invalid if either fails.
    void build_described(const detail::PassDescription& description, void* pass);
    void report_no_room(const NodeDesc& node, bool moves);
    std::uint32_t add_access(NodeId node, const AccessDesc& access);
    std::uint32_t add_read(NodeId node, VersionId version, const Range& range, Access access,
                           StageMask shader_stages);
    struct Written {
        VersionId version;
        std::uint32_t access;
    };
    /// The `size` bytes of `view` from `offset` on; `view` itself if it is
    /// shorter.
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
    /// Marks the parameter at this byte of `desc_.parameters` as set.
    void mark_given(std::size_t parameter_byte);
    void warn_of_kernel(NodeId node, const KernelUse& kernel);
    void warn_of_nodes();
    std::optional<Buffer> room_for_assertions(std::string_view node, const ShaderInterface* kernel);
    void count_assertions(NodeId node, Buffer words);
    /// Opens the scope "name[i]"; false if loops have made the graph too large.
    bool begin_iteration(std::string_view name, std::uint32_t i);
    /// Whether the resource was made in a skippable iteration that is no longer open.
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
    Ranks ranks_;
    mutable std::uint64_t rank_queries_ = 0;
    Buffer last_exchange_;          ///< written by each node that exchanges messages
    std::int32_t message_tags_ = 0; ///< how many have been handed out
    GraphDesc desc_;
    std::size_t begun_nodes_ = 0; ///< of `desc_`: those of a finished graph
    std::vector<bool> given_;     ///< per byte of `desc_.parameters`: it was set
    std::string scope_;
    std::vector<std::size_t> scope_lengths_;
    std::vector<QueueHint> queues_;
    std::uint32_t changing_ = 0; ///< how many `push_changing` are open
    /// A pass inside the one being built has failed: further errors there follow
    /// from it.
    bool inner_failed_ = false;
    std::uint32_t building_ = 0; ///< passes, each inside the one before

    // Loops. An iteration that may be skipped is known by a number from 1 on.
    struct OpenIteration {
        std::uint32_t number = 0;
        Buffer stopped; ///< one word, non-zero where the iteration is skipped
    };
    std::vector<OpenIteration> open_iterations_; ///< the innermost last
    std::vector<std::uint32_t> made_in_;         ///< by resource; 0 beyond the end
    std::vector<bool> gated_; ///< by node: its own loop skips it, outer ones need not
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
