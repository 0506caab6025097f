#pragma once

#include <tuff/graph.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tuff::oracle {

/// Which parts of a resource hold something, as bits: mip and layer of images, eighths of buffers.
using Atoms = std::uint64_t;

/// Writes valid graphs: refuses accesses that read what nothing has written, that conflict inside
/// one node, or that make nodes wait for each other.
class GraphAuthor {
  public:
    static constexpr std::uint32_t kBufferAtoms = 8;

    struct Version {
        VersionId id;
        Atoms defined = 0;
        std::vector<std::uint32_t> writers; ///< nodes
        std::vector<std::uint32_t> readers;
    };
    struct Resource {
        bool image = true;
        bool writable = true;
        bool must_write = false; ///< the newest copy of a history
        bool may_output = true;
        bool output = false;
        ImageDesc image_desc;
        BufferDesc buffer_desc;
        Access output_access = Access::copy_read;
        std::vector<Version> versions;

        bool depth() const { return image && info(image_desc.format).depth; }
        Atoms all() const;
        Atoms atoms(const Range& range) const;
        Range byte_range(std::uint32_t first, std::uint32_t count) const;
    };

    // Each names what it adds and returns nothing: later steps count back from the newest.
    void add_image(const ImageDesc& desc);
    void add_buffer(const BufferDesc& desc);
    void add_history(const ImageDesc& desc, std::uint32_t depth);
    void add_history(const BufferDesc& desc, std::uint32_t depth);
    void add_import(const ImageDesc& desc, const ImportState& state);
    void add_import(const BufferDesc& desc, const ImportState& state);
    void add_constant(const ImageDesc& desc);
    void add_constant(const BufferDesc& desc);

    void begin_node();
    void resume_node(std::uint32_t back);
    void keep_node();
    /// The current node, which has no accesses yet, runs on the host.
    void on_host();
    /// The node added last, be it a copy or a clear, asks for this queue.
    void prefer(QueueHint queue);
    /// Adds an access of the current node to version `back` from the newest.
    void read(std::uint32_t resource, std::uint32_t back, const Range& range, Access access,
              StageMask stages);
    void write(std::uint32_t resource, const Range& range, Access access, StageMask stages);
    void clear(std::uint32_t resource, const Range& range);
    void copy(std::uint32_t source, std::uint32_t destination);
    void output(std::uint32_t resource, Access access);

    /// What the iterations of a loop do with the resource they begin with.
    enum class Loop : std::uint8_t {
        anew,      ///< each makes a new one from the one before
        ping_pong, ///< two are written in turn
        in_place,  ///< one is updated
    };
    /// Each iteration reads `beside` as well, where that holds something. Does nothing where all of
    /// `resource` cannot be read and written by kernels.
    void repeat(Loop loop, std::uint32_t resource, std::uint32_t beside, std::uint32_t count);

    const std::vector<Resource>& resources() const { return resources_; }
    bool has_node() const { return current_ < nodes_.size(); }
    /// All of a resource.
    Range whole(std::uint32_t resource) const;
    bool is_defined(std::uint32_t resource) const {
        const Resource& r = resources_[resource];
        return (r.all() & ~r.versions.back().defined) == 0;
    }
    GraphDesc finish() &&;

  private:
    struct Use {
        std::uint32_t resource;
        Atoms atoms;
        bool writes;
    };
    struct Node {
        std::optional<CustomNodeBuilder> builder; ///< none: a clear or copy, complete as it is
        std::vector<Use> uses;
        std::vector<std::uint32_t> after; ///< nodes that must come later
        QueueHint queue = QueueHint::automatic;
        bool on_host = false;
    };

    static bool may_be_status(const Resource& r);
    std::uint32_t add_like(std::uint32_t resource);
    std::uint32_t iterate(Loop loop, std::uint32_t from, std::uint32_t& spare,
                          std::uint32_t beside);
    Resource& add(bool image, VersionId first, Atoms defined);
    std::uint32_t add_node(std::optional<CustomNodeBuilder> builder);
    bool conflicts_in_node(std::uint32_t node, std::uint32_t resource, Atoms atoms,
                           bool writes) const;
    bool orders_well(std::uint32_t node, const std::vector<const Version*>& earlier_writers,
                     const std::vector<const Version*>& earlier_readers,
                     const std::vector<const Version*>& later_writers,
                     const std::vector<const Version*>& later_readers);
    bool reaches(std::uint32_t from, std::uint32_t to) const;
    void note_write(std::uint32_t node, std::uint32_t resource, VersionId version, Atoms atoms);

    Graph graph_;
    std::vector<Resource> resources_;
    std::vector<Node> nodes_;
    std::size_t current_ = ~std::size_t{0};
};

} // namespace tuff::oracle
