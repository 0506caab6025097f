#pragma once

#include <tuff/access.hpp>
#include <tuff/graph_desc.hpp>
#include <tuff/parameter_type.hpp>
#include <tuff/resources.hpp>
#include <tuff/shared_struct.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// Builders from `Graph::compute`, `raster`, `rays`, `host` and `custom`: they declare the
/// resources and the work of a node. Included by tuff/graph.hpp.
namespace tuff {

class Graph;

/// An image with its sampler: an element of an array of textures.
struct SampledImage {
    ImageView view;  ///< unconnected: a null element, which the kernel must not access
    Sampler sampler; ///< for bindings that sample
};

/// Base of compute, raster and ray nodes. A builder is a light handle to a node of its graph and
/// must not outlive the graph.
class KernelNode {
  public:
    /// Binds for reading: sampled, storage or uniform, as the kernel declares `binding`. Reading a
    /// binding that the kernel may write is an error (use `write`).
    void read(std::string_view binding, ImageView view, Sampler sampler = {});
    /// Binds a buffer for reading. The same rules.
    void read(std::string_view binding, BufferView view);
    /// Binds a result of `Graph::build_acceleration`, for ray queries of compute kernels or for
    /// ray kernels. Binds the top level, and keeps the bottom one with it. Compiling fails with
    /// graph/no-ray-query or graph/no-ray-pipeline if the device lacks these.
    void read(std::string_view binding, const Acceleration& acceleration);
    /// If `view` is connected, the same as `read`, and the kernel's `has_BINDING` is 1: the
    /// specialisation constant of that name, else the member of its parameters. If it is not
    /// connected, `has_BINDING` is 0 and the node has no access: the kernel must not use the
    /// binding, which is null. All draws of a raster node share optional bindings. Bindings that
    /// belong together can share a flag of another name: `has`.
    void read_optional(std::string_view binding, ImageView view, Sampler sampler = {},
                       std::string_view has = {});
    /// The same for a buffer.
    void read_optional(std::string_view binding, BufferView view, std::string_view has = {});
    /// Binds one element of an array binding.
    void read_element(std::string_view binding, std::uint32_t element, ImageView view,
                      Sampler sampler = {});
    /// Binds all elements of an array binding. If its length is a specialisation constant,
    /// `uniform sampler2D textures[texture_count]`, this sets it; otherwise the number of images
    /// must be the kernel's number of elements. A kernel that indexes the array by numbers which
    /// differ between invocations (`nonuniformEXT`) needs `DeviceCaps::texture_arrays`. All draws
    /// of a raster node share the array. Errors: graph/array-length; when the graph is compiled
    /// graph/no-texture-arrays, and graph/too-many-bindings if the device supports fewer.
    void read_array(std::string_view binding, std::span<const SampledImage> images);

    /// Binds for writing and returns the new version. If the kernel declares the binding
    /// `writeonly`, the old contents are not read; otherwise the write is in place. Texels or
    /// bytes outside the view, and those the kernel skips, keep their contents.
    [[nodiscard]] Image write(std::string_view binding, ImageView view);
    /// Binds a buffer for writing. The same rules.
    [[nodiscard]] Buffer write(std::string_view binding, BufferView view);

    /// Binds for atomics whose order does not matter. Nodes that accumulate into one version run
    /// unordered among themselves and return the same new version.
    [[nodiscard]] Image accumulate(std::string_view binding, ImageView view);
    /// Binds a buffer for atomics. The same rules.
    [[nodiscard]] Buffer accumulate(std::string_view binding, BufferView view);

    /// Sets a member of the kernel's `Params` block or push constants: a scalar, or a glm vector or
    /// matrix. Types must match exactly. Members that are never set are zero, and
    /// `Graph::finish` warns of them (graph/parameter-not-set). Errors: graph/unknown-parameter,
    /// graph/parameter-type.
    template <Parameter T>
    void set(std::string_view member, const T& value) {
        set_bytes(member, ParameterTypeOf<T>::value, &value, 1);
    }
    /// Sets an array member; fewer values than the array holds leave the rest zero. As many scalars
    /// as a vector has components set the vector, as many vectors as a matrix has columns the
    /// matrix.
    template <Parameter T>
    void set(std::string_view member, std::span<const T> values) {
        set_bytes(member, ParameterTypeOf<T>::value, values.data(), values.size());
    }
    /// The same: `std::array{0.5f, 0.5f}` sets a `vec2`, or a `float[2]`.
    template <Parameter T, std::size_t N>
    void set(std::string_view member, const std::array<T, N>& values) {
        set_bytes(member, ParameterTypeOf<T>::value, values.data(), N);
    }
    /// Sets a member from a struct of the program, for example a vector of its own math library.
    /// The struct has the numbers of the member without padding; their types
    /// are not checked. Error: graph/parameter-size.
    template <PlainStruct T>
    void set(std::string_view member, const T& value) {
        set_plain(member, std::as_bytes(std::span(&value, 1)));
    }
    /// Sets the whole `Params` block of the kernel, or if it has none all push constants. It
    /// must have the layout and the size of the block, with padding; if it is a
    /// `SharedStruct`, its members are compared with those of the block. Errors:
    /// graph/parameter-size, graph/struct-mismatch.
    template <PlainStruct T>
    void set(const T& block) {
        if constexpr (SharedStruct<T>) match_struct("Params", layout_of<T>());
        set_block(std::as_bytes(std::span(&block, 1)));
    }
    /// Checks that the kernel's block `binding` ("Params": its parameters), or an element if it is
    /// an array, has the layout of `Struct`: see `SharedStruct`. Error:
    /// `graph/struct-mismatch`.
    template <SharedStruct Struct>
    void match(std::string_view binding) {
        match_struct(binding, layout_of<Struct>());
    }

    /// Sets a specialisation constant of type uint or bool.
    void specialize(std::string_view constant, std::uint32_t value);
    /// Sets a specialisation constant of type int.
    void specialize(std::string_view constant, std::int32_t value);
    /// Sets a specialisation constant of type float.
    void specialize(std::string_view constant, float value);

    /// The node.
    NodeId id() const { return node_; }

    /// @cond
  protected:
    KernelNode(Graph& graph, NodeId node) : graph_(&graph), node_(node) {}
    void set_bytes(std::string_view member, ParameterType type, const void* data,
                   std::size_t count);
    void set_plain(std::string_view member, std::span<const std::byte> value);
    void set_block(std::span<const std::byte> block);
    struct FoundMember {
        const BlockMember* member; ///< null: missing, and reported
        std::size_t block;         ///< offset of its block in `GraphDesc::parameters`
    };
    FoundMember find_member(std::string_view name);
    void copy_member(const FoundMember& found, const std::byte* numbers, std::size_t elements);

    void specialize_bits(std::string_view constant, ScalarType scalar, std::uint32_t bits);
    enum class Given : std::uint8_t { buffer, image, acceleration };
    /// The binding's index, or nothing and a report if it is missing or of another kind.
    std::optional<std::uint32_t> find_binding(std::string_view name, Given given);
    bool check_connected(std::string_view binding, VersionId version);
    bool check_view(std::uint32_t binding, Image image, const Range& range);
    void bind_read(std::uint32_t binding, std::uint32_t element, VersionId version,
                   const Range& range, Sampler sampler);
    VersionId bind_write(std::string_view name, VersionId version, const Range& range, bool image,
                         bool accumulates);
    void add_binding(std::uint32_t binding, std::uint32_t element, std::uint32_t access,
                     Sampler sampler);
    void read_nothing(std::string_view binding, Given given);
    void set_has(std::string_view binding, std::string_view has, bool connected);
    bool check_shared_by_draws(std::string_view binding);
    bool check_only_read(std::uint32_t binding);
    bool set_length(const ShaderBinding& binding, std::size_t length);
    void match_struct(std::string_view binding, const StructLayout& layout);

    Graph* graph_;
    NodeId node_;
    std::uint32_t group_ = 0;
    friend class Graph;
    /// @endcond
};

/// Builds a dispatch.
class ComputeNodeBuilder : public KernelNode {
  public:
    /// Launches this many workgroups.
    void dispatch(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1);
    /// Launches at least one invocation per texel or element: extent over local size, rounded up.
    void dispatch_over(Extent extent);
    /// Launches at least one invocation for each of `count` elements, and at least one group.
    /// Many groups are folded into rows; `invocation_index()` of invocation.glsl
    /// numbers the elements. For kernels whose groups extend along x only.
    void dispatch_each(std::uint32_t count);
    /// Invocations of a group along x, y, z: as the kernel declares them, or as set by constants
    /// before this call.
    std::array<std::uint32_t, 3> group_size() const;
    /// Workgroup counts come from three words of a buffer, `offset` bytes into the view. The node
    /// reads those words and no others.
    void dispatch_indirect(BufferView counts, std::uint64_t offset = 0);

  private:
    using KernelNode::KernelNode;
    friend class Graph;
};

/// Builds a launch of a hardware ray-tracing pipeline.
class RayNodeBuilder : public KernelNode {
  public:
    /// Launches this many invocations of the ray generation stage.
    void launch(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1);
    /// The numbers of invocations come from three words of a buffer, `offset` bytes into the view.
    /// The node reads those words and no others.
    void launch_indirect(BufferView counts, std::uint64_t offset = 0);

  private:
    using KernelNode::KernelNode;
    friend class Graph;
};

/// Initial contents of an attachment.
struct AttachmentStart {
    LoadOp load = LoadOp::clear;               ///< how it begins
    ClearValue clear = std::array<float, 4>{}; ///< where `load` is `clear`
};
/// Begins with a colour, or with a depth in `r`.
inline AttachmentStart cleared(float r, float g = 0, float b = 0, float a = 0) {
    return {LoadOp::clear, std::array<float, 4>{r, g, b, a}};
}
/// Begins with whole numbers.
inline AttachmentStart cleared_uint(std::uint32_t r, std::uint32_t g = 0, std::uint32_t b = 0,
                                    std::uint32_t a = 0) {
    return {LoadOp::clear, std::array<std::uint32_t, 4>{r, g, b, a}};
}
/// Begins with the current contents.
inline AttachmentStart loaded() {
    return {LoadOp::load, std::array<float, 4>{}};
}
/// Begins undefined: for attachments whose every pixel is drawn.
inline AttachmentStart discarded() {
    return {LoadOp::discard, std::array<float, 4>{}};
}

/// Builds a node that draws.
class RasterNodeBuilder : public KernelNode {
  public:
    /// Adds the next colour attachment (location 0, 1, ...) and returns the new version.
    [[nodiscard]] Image color(ImageView target, AttachmentStart start);
    /// Adds the next colour attachment, blended by `state().blend`, also onto a clear value.
    [[nodiscard]] Image blended_color(ImageView target, AttachmentStart start);
    /// Resolves the last colour attachment (multisampled) into `target`.
    [[nodiscard]] Image resolve(ImageView target);
    /// Adds the depth attachment for tests and writes.
    [[nodiscard]] Image depth(ImageView target, AttachmentStart start);
    /// Adds a depth attachment for tests only.
    void depth_test_only(ImageView target);

    /// Rendering without attachments covers this area.
    void area(Extent extent);
    /// Limits fragments to this rectangle, which must be within the render area (else compiling
    /// reports graph/scissor-outside). Attachments are still cleared and resolved as a whole.
    void scissor(const Scissor& rectangle);
    /// The fixed-function state, to be changed in place.
    RasterState& state();
    /// The index buffer of all draws.
    void index_buffer(BufferView indices, IndexType type);

    /// Begins a new bind group: the reads that follow are seen only by the draws that follow.
    /// Bindings made before the first group are shared by all draws.
    void begin_group();
    /// Adds a draw.
    void draw(Draw draw);
    /// Takes the arguments of `draws` draws from consecutive records in a buffer, `offset` bytes
    /// into the view. The node reads those records and no others.
    void draw_indirect(BufferView arguments, std::uint64_t offset, std::uint32_t draws);

    /// An occlusion query: writes the number of samples of all draws that passed the tests
    /// and were not discarded into the first word of `target`. Exact with
    /// `DeviceCaps::exact_sample_counts`; otherwise 0 if there were none, and some other number if
    /// there were any. The word can be the flag that ends a loop, and kernels can compute draw
    /// arguments from it. A node can count once (else it reports graph/sample-count).
    [[nodiscard]] Buffer count_samples(BufferView target);

  private:
    struct Attached {
        Image written;
        std::optional<Attachment> attachment; ///< none: a mistake was reported
    };
    Attached attach(ImageView target, Access access, AttachmentStart start);
    bool adopt_area(ImageView target);

    using KernelNode::KernelNode;
    friend class Graph;
};

/// A node that runs on the host. Its buffers are transient ones of the graph.
class HostNodeBuilder {
  public:
    /// Declares a read: the next of `HostBuffers::read`.
    void read(BufferView view);
    /// Declares a write, the next of `HostBuffers::written`, and returns the new version. Bytes
    /// that the function leaves keep no defined contents unless they had some.
    [[nodiscard]] Buffer write(BufferView view);
    /// Never culls the node: it has effects outside the graph.
    void keep();
    /// The node.
    NodeId id() const { return node_; }

  private:
    HostNodeBuilder(Graph& graph, NodeId node) : graph_(&graph), node_(node) {}
    Graph* graph_;
    NodeId node_;
    friend class Graph;
};

/// A node that the host records, or that only declares accesses.
class CustomNodeBuilder {
  public:
    /// Declares a read; `shader_stages`: the stages of kernels that read.
    void read(ImageView view, Access access, StageMask shader_stages = stage::kNone);
    /// Declares that the node reads a buffer.
    void read(BufferView view, Access access, StageMask shader_stages = stage::kNone);
    /// Declares a write, and returns the new version.
    [[nodiscard]] Image write(ImageView view, Access access,
                              StageMask shader_stages = stage::kNone);
    /// Declares that the node writes a buffer, and returns the new version.
    [[nodiscard]] Buffer write(BufferView view, Access access,
                               StageMask shader_stages = stage::kNone);
    /// Never culls the node: it has effects outside the graph.
    void keep();
    /// The node.
    NodeId id() const { return node_; }

  private:
    CustomNodeBuilder(Graph& graph, NodeId node) : graph_(&graph), node_(node) {}
    void add_read(VersionId version, const Range& range, Access access, StageMask shader_stages);
    VersionId add_write(VersionId version, const Range& range, Access access,
                        StageMask shader_stages);
    Graph* graph_;
    NodeId node_;
    friend class Graph;
};

} // namespace tuff
