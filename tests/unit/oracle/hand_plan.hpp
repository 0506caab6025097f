#pragma once

#include "tests/oracle/oracle.hpp"

#include <tuff/graph.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tuff::test {

/// All of the work of a queue before it comes before all of the work after it, and is seen by it.
inline constexpr MemoryMask kAnyAccess = memory::kMemoryRead | memory::kMemoryWrite;
inline constexpr MemoryBarrier kFull{stage::kAllCommands, kAnyAccess, stage::kAllCommands,
                                     kAnyAccess};

/// What stands before and after the nodes of a level.
struct Around {
    MemoryBarrier memory;
    std::vector<ImageBarrier> before;
    std::vector<ImageBarrier> after;
};

/// A plan written level by level, without the compiler. Every image is used in `general`; every
/// transient resource has memory of its own.
class HandPlan {
  public:
    explicit HandPlan(Graph source);

    /// Adds a submission that waits for these earlier ones.
    void submit(Queue queue, std::vector<std::uint32_t> waits = {});
    /// Adds a level to the newest submission.
    void level(const std::vector<std::string_view>& nodes, const Around& around = {});
    /// Likewise, to submission `to`.
    void level_in(std::uint32_t to, const std::vector<std::string_view>& nodes,
                  const Around& around = {});
    /// The epilogue, in the newest submission.
    void end(const std::vector<ImageBarrier>& barriers = {});

    void share(std::string_view resource) {
        plan.sharing[id(resource).index] = Sharing::concurrent;
    }
    /// Puts `resource` where `other` is.
    void place(std::string_view resource, std::string_view other);
    /// ... as the same image or buffer.
    void unite(std::string_view resource, std::string_view other);

    ResourceId id(std::string_view resource) const;
    /// From `undefined` to `general`, after and before everything on the queue.
    ImageBarrier first_use(std::string_view image, Queue queue = Queue::graphics) const;
    /// Either half of a transfer of all of an image that is and stays in `general`.
    ImageBarrier transfer(std::string_view image, Queue from, Queue to) const;

    std::string text() const { return oracle::to_string(oracle::check(graph, plan)); }
    /// The kind of the first violation; none: the plan passes.
    std::optional<oracle::Fault> fault() const;

    GraphDesc graph;
    Plan plan;

  private:
    std::uint32_t add(const std::vector<ImageBarrier>& barriers);
};

} // namespace tuff::test
