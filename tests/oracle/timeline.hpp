#pragma once

#include "tests/oracle/access_table.hpp"
#include "tests/oracle/findings.hpp"
#include "tests/oracle/parts.hpp"
#include "tests/oracle/scopes.hpp"
#include "tests/oracle/versions.hpp"

#include <map>
#include <string>
#include <vector>

namespace tuff::oracle {

/// Plays a plan several times in a row on one queue and judges every access as it comes.
class Timeline {
  public:
    Timeline(const Plan& plan, const Settings& settings, const VersionBook& versions,
             Findings& findings);
    void play();

  private:
    /// An access of the past, or a layout transition.
    struct Record {
        Standing standing;
        NodeId node; ///< none: the host, a transition or the world before the first execution
        Access access = Access::storage_read;
        std::uint32_t execution = 0;
        VersionId accumulated; ///< several nodes may accumulate into one version unordered
        bool of_host = false;
        bool followed = false; ///< something has read or overwritten it since
        bool replaces(const Record& other) const;
    };
    /// The records of the parts a batch changes the layouts in, as they were before it.
    using RecordsBefore = std::map<std::uint32_t, std::vector<Record>>;
    enum class Loss : std::uint8_t { none, never_written, discarded, overwritten };
    /// What a part holds.
    struct Contents {
        Loss loss = Loss::never_written;
        ResourceId overwritten_by; ///< the resource it shared memory with
        VersionId version;         ///< of this execution; none: what the execution began with
        std::string lacks;         ///< what was gone when a write that keeps the rest came
    };
    struct State {
        Layout layout = Layout::undefined;
        Contents contents;
        std::vector<Record> records;
        std::uint32_t transitioned_in = 0; ///< the batch that did so last
    };
    /// Somebody about to use a part.
    struct User {
        std::string name;
        AccessRules rules;
        Access access;
        NodeId node;
        VersionId read;
        VersionId written;
    };

    void begin_world();
    void begin_execution();
    void hand_over_import(ResourceId resource);
    void run_batch(const Level& batch);
    void transition(const ImageBarrier& barrier, const Dependency& dependency,
                    const RecordsBefore& before);
    void run_node(NodeId node);
    void end_execution();
    void take_back_import(ResourceId resource);

    void use(const User& user, std::uint32_t part, Layout named);
    void check_layout(const User& user, std::uint32_t part, Layout named);
    void check_contents(const User& user, std::uint32_t part);
    void check_kept(std::string_view user, VersionId version, std::uint32_t part);
    std::string loss_of(VersionId version, std::uint32_t part) const;
    void check_order(const User& user, std::uint32_t part);
    void check_against(const User& user, std::uint32_t part, const Record& record,
                       std::uint32_t where);
    void remember(const User& user, std::uint32_t part);
    void add_record(std::uint32_t part, Record record);
    void forget_all_before(std::uint32_t part);
    void overwrite_sharers(std::uint32_t part);

    std::string describe(const Record& record) const;
    std::string describe(const Contents& contents) const;
    std::string name_of(VersionId version) const;
    std::string moment() const;
    const ResourceDesc& resource_at(std::uint32_t part) const {
        return graph_.resources[parts_.objects()[parts_.all()[part].object].resource.index];
    }

    const Plan& plan_;
    const GraphDesc& graph_;
    const VersionBook& versions_;
    Findings& findings_;
    Parts parts_;
    std::vector<State> states_; ///< per part
    std::uint32_t execution_ = 0;
    std::uint32_t batch_ = 0;
};

} // namespace tuff::oracle
