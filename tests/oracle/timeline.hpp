#pragma once

#include "tests/oracle/access_table.hpp"
#include "tests/oracle/findings.hpp"
#include "tests/oracle/parts.hpp"
#include "tests/oracle/scopes.hpp"
#include "tests/oracle/versions.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tuff::oracle {

/// Plays a plan several times in a row and judges every access as it comes. The levels are walked
/// in the order of the plan's list, but what comes after what is taken from the order within each
/// queue and from semaphores alone.
class Timeline {
  public:
    Timeline(const Plan& plan, const Settings& settings, const VersionBook& versions,
             Findings& findings);
    void play();

  private:
    /// Per queue, the first submission there that comes after something; kNever: none yet. The
    /// signal of that submission and of all later ones of the queue comes after it, too.
    using Reached = std::array<std::uint32_t, kQueueCount>;
    static constexpr std::uint32_t kNever = ~0u;

    /// An access of the past, or a layout transition.
    struct Record {
        Standing standing;
        NodeId node; ///< none: the host, a transition or the world before the first execution
        Access access = Access::storage_read;
        std::uint32_t execution = 0;
        VersionId accumulated; ///< several nodes may accumulate into one version unordered
        bool of_host = false;
        Reached reached{kNever, kNever, kNever, kNever};
        bool replaces(const Record& other) const;
    };
    /// The records of the parts a batch changes the layouts in, as they were before it.
    using RecordsBefore = std::map<std::uint32_t, std::vector<Record>>;
    /// A barrier in a batch.
    struct Step {
        const ImageBarrier* image = nullptr; ///< none: a global one
        Dependency dependency;
    };
    using Steps = std::vector<Step>;
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
        std::uint32_t transitioned_in = 0;        ///< the batch that did so last
        std::optional<Queue> owner;               ///< of exclusive resources; none: nobody yet
        const ImageBarrier* in_transit = nullptr; ///< released, but not yet acquired
    };
    /// Somebody about to use a part.
    struct User {
        std::string name;
        AccessRules rules;
        Access access;
        NodeId node;
        VersionId read;
        VersionId written;
        Queue queue = Queue::graphics;
    };

    void begin_world();
    void begin_execution();
    void hand_over_import(ResourceId resource);
    void run_level(const Level& level);
    void run_node(NodeId node, Queue queue);
    void end_execution();
    void take_back_import(ResourceId resource);

    // Synchronisation: timeline_sync.cpp.
    void follow_execution_before();
    void enter(std::uint32_t submission);
    void wait_for(std::uint32_t other, std::uint32_t submission);
    void run_host_barrier(const MemoryBarrier& barrier, Queue queue);
    Steps steps_before(const Level& level) const;
    Steps steps_after(const Level& level) const;
    void add_images(Steps& steps, std::uint32_t first, std::uint32_t count, Queue queue) const;
    void run_batch(const Steps& steps, Queue queue);
    void transition(const Step& step, Queue queue, const RecordsBefore& before);
    void check_transition_waits(const Step& step, Queue queue, std::uint32_t part,
                                std::uint32_t where, const RecordsBefore& before);
    void hand_over(const ImageBarrier& barrier, std::uint32_t part, Queue queue);

    void use(const User& user, std::uint32_t part, Layout named);
    void check_owner(const User& user, std::uint32_t part);
    void check_layout(const User& user, std::uint32_t part, Layout named);
    void forget_previous_alias(const User& user, std::uint32_t part);
    void check_contents(const User& user, std::uint32_t part);
    void check_kept(std::string_view user, VersionId version, std::uint32_t part);
    std::string loss_of(VersionId version, std::uint32_t part) const;
    void check_order(const User& user, std::uint32_t part);
    void check_against(const User& user, std::uint32_t part, const Record& record,
                       std::uint32_t where);
    void remember(const User& user, std::uint32_t part);
    void add_record(std::uint32_t part, Record record, Queue queue);
    void forget_all_before(std::uint32_t part);
    void overwrite_sharers(std::uint32_t part);

    std::string describe(const Record& record) const;
    std::string describe(const Contents& contents) const;
    std::string name_of(VersionId version) const;
    std::string name_of(const User& user, std::uint32_t part) const;
    std::string point() const;
    bool is_exclusive(ResourceId resource) const {
        return plan_.sharing[resource.index] == Sharing::exclusive;
    }
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
    std::array<std::uint32_t, kQueueCount> next_submission_{}; ///< none before it can begin again
};

} // namespace tuff::oracle
