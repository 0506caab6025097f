#pragma once

#include <tuff/graph_desc.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// What of a graph can be looked at, and how a graph is made to keep it.
namespace tuff::viewer {

/// Names one version of a resource so that it is found again in a graph that was built again.
struct ViewKey {
    std::string resource;      ///< "glowing/result"; empty: the config's first output
    std::uint32_t version = 0; ///< writes before it
    friend bool operator==(const ViewKey&, const ViewKey&) = default;
};

/// One version of a resource as the list of views shows it.
struct View {
    ViewKey key;
    std::string writer;               ///< the node; empty: what the resource begins with
    std::vector<std::string> outputs; ///< the config's outputs that it is
    std::variant<ImageDesc, BufferDesc> desc;
    Lifetime lifetime = Lifetime::transient;
    BufferElements elements = {}; ///< of a buffer that is an output, where they are known
    bool is_image() const { return std::holds_alternative<ImageDesc>(desc); }
    const ImageDesc& image() const { return std::get<ImageDesc>(desc); }
    const BufferDesc& buffer() const { return std::get<BufferDesc>(desc); }
};

/// The name of an output, or of a resource: "glow/result", "glow/result #2" before later writes.
std::string label_of(const View& view);

/// What all its mips and layers take, as they are packed on the host.
std::uint64_t bytes_of(const View& view);

/// "rgba16_sfloat 1280 x 720, 5 mips", "12.0 KiB", "12.0 KiB of u32".
std::string shape_text(const View& view);

/// Everything that can be shown: outputs first, then in the order of the graph. Left out is what
/// has no contents before its first write, what has several samples a texel, and what only the
/// device can read.
std::vector<View> list_views(const GraphDesc& graph);

/// What came of `keep_view`: the output to read, and what it is.
struct KeptView {
    std::string output;
    View view;
};

/// Whether an output or a node of this name was added by the viewer. Names of configs have no dots.
inline bool is_viewers_own(std::string_view name) {
    return name.starts_with("viewer.");
}

/// Makes `graph` keep a version until it has been read: by an output where nothing overwrites it,
/// else by a copy. Nothing where the graph has no such version. `output`: its name, where the
/// config has none for it.
std::optional<KeptView> keep_view(GraphDesc& graph, const ViewKey& key,
                                  std::string_view output = "viewer.shown");

/// The last version of the resource of that name, as long as a node writes it.
std::optional<ViewKey> last_version(const GraphDesc& graph, std::string_view resource);

} // namespace tuff::viewer
