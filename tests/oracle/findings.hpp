#pragma once

#include "tests/oracle/oracle.hpp"

#include <fmt/format.h>

#include <utility>

namespace tuff::oracle {

/// Collects violations, up to a number.
class Findings {
  public:
    explicit Findings(std::size_t most) : most_(most) {}
    template <typename... Args>
    void add(Fault fault, fmt::format_string<Args...> text, Args&&... args) {
        if (!full()) found_.push_back({fault, fmt::format(text, std::forward<Args>(args)...)});
    }
    bool full() const { return found_.size() >= most_; }
    bool empty() const { return found_.empty(); }
    Violations take() && { return std::move(found_); }

  private:
    std::size_t most_;
    Violations found_;
};

} // namespace tuff::oracle
