#pragma once

#include "config/build/looks.hpp"
#include "config/check/evaluation.hpp"

#include <tuff/config.hpp>
#include <tuff/pass_ports.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tuff {

/// Finds the passes that work on a rank's part of the domain and know nothing of ranks.
class OwnParts {
  public:
    explicit OwnParts(const std::optional<DomainInput>& domain) : domain_(domain) {}

    /// Whether a field is divided at all.
    bool is_divided() const { return domain_ && domain_->ranks.size() > 1; }

    /// A pass that has been built.
    struct BuiltPass {
        std::size_t node = 0; ///< of the configured nodes
        /// It asked for the ranks. Where it makes parts with a halo, that halo is exchanged.
        bool asks_for_ranks = false;
        bool knows_domain = false;      ///< a value of it follows from the domain
        std::optional<Reach> look = {}; ///< nothing: not known
        bool needs_whole = false;       ///< no halo is wide enough
        std::vector<PortValue> inputs;
        std::vector<PortValue> outputs;
    };
    /// A pass that looks beyond the cells of a halo that are right: some of the rank's own cells
    /// come out wrong.
    struct TooFar {
        std::size_t axis = 0;
        std::uint32_t look = 0;  ///< cells
        std::uint32_t right = 0; ///< cells of the halo
    };
    std::optional<TooFar> add(const Graph& graph, const BuiltPass& pass);
    /// Whether one of them is a part that was exchanged, or is made of such a part. Before `add`.
    bool reads_exchanged(const Graph& graph, const std::vector<PortValue>& inputs) const;
    /// What one execution leaves as `kept` the next one reads as `previous`.
    void add_history(Image kept, Image previous);
    /// Sets `ConfiguredNode::own_part`.
    void mark(std::vector<ConfiguredNode>& nodes) const;

  private:
    /// An image or a buffer with the size of this rank's part.
    struct Part {
        VersionId version;
        std::uint32_t halo = 0;
        std::string size; ///< "194x130"
    };
    /// A pass that knows nothing of ranks and reads parts.
    struct Use {
        std::size_t node = 0;
        std::vector<Part> reads;
        std::vector<Part> makes;
        std::vector<VersionId> results; ///< that are no parts
        bool needs_whole = false;
    };
    static bool is_one_of(const std::vector<Part>& parts, VersionId version);
    bool has_halo(const Use& use) const;
    bool is_put_together(const Use& use) const;
    std::vector<Part> parts_of(const Graph& graph, const std::vector<PortValue>& values) const;
    std::optional<Part> part_of(const Graph& graph, Image image, const BufferElements&) const;
    std::optional<Part> part_of(const Graph& graph, Buffer buffer,
                                const BufferElements& elements) const;
    void add_with_ranks(const BuiltPass& pass, const std::vector<Part>& reads,
                        const std::vector<Part>& makes);
    bool is_exchanged(VersionId version) const;
    const Reach* right_halo(VersionId version) const;
    bool has_right_halo(VersionId version) const;
    std::optional<TooFar> look(const BuiltPass& pass, const std::vector<Part>& reads,
                               const std::vector<Part>& makes);
    bool will_be_exchanged(VersionId version) const;

    std::optional<DomainInput> domain_;
    std::vector<Use> uses_;
    // Versions that passes read and made which asked for the ranks:
    std::set<std::uint32_t> exchanged_; ///< parts that they made, with a halo
    /// Cells of the halo that are right, of exchanged parts and of what is made of them by passes
    /// whose look is known.
    std::map<std::uint32_t, Reach> right_;
    /// Parts that they exchange, or that are read together with an exchanged one.
    std::set<std::uint32_t> to_be_exchanged_;
    std::set<std::uint32_t> read_by_them_; ///< what is no part: sums to be added
    std::set<std::uint32_t> made_by_them_; ///< what is no part: sums of all, boxes of a spectrum
    struct History {
        VersionId kept;
        VersionId previous;
    };
    std::vector<History> histories_;
};

} // namespace tuff
