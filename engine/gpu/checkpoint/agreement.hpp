#pragma once

#include <tuff/ranks.hpp>

#include <string>
#include <vector>

/// What ranks have to agree on while they write or read a checkpoint together.
namespace tuff {

class Agreement {
  public:
    /// Of a process alone everything is agreed on.
    explicit Agreement(const Ranks& ranks)
        : ranks_(ranks.size() > 1 ? ranks.communicator : nullptr) {}

    bool together() const { return ranks_ != nullptr; }
    /// Whether this rank does what one does for all.
    bool leads() const;
    /// Collective. What went wrong on the first rank where something did, on all ranks; until then
    /// none goes on.
    Result<void> on(Result<void> own) const;
    /// Collective. The texts of all ranks, on rank 0 alone.
    Result<std::vector<std::string>> gather(const std::string& text) const;
    /// "rank 3 on node7".
    std::string name(std::size_t rank) const;

  private:
    Communicator* ranks_;
};

} // namespace tuff
