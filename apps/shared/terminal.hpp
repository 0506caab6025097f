#pragma once

#include "core/text_table.hpp"

#include <tuff/diagnostic.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace tuff::cli {

/// Standard output for results, standard error for everything else. Colours go to terminals only,
/// and not where NO_COLOR is set.
class Terminal {
  public:
    /// Looks at the standard streams and the environment of this process.
    static Terminal attach();

    /// Writes a result, unless a program reads. Failures are kept for `finish`.
    void print(std::string_view text);
    /// Writes what a program reads.
    void show(std::string_view text);
    /// While there are `diagnostics`, a program reads: they take what is reported, and neither
    /// results nor remarks are written.
    void keep_for(Diagnostics* diagnostics) { kept_ = diagnostics; }
    /// Shows what has been printed so far, of a command that prints for minutes.
    void flush();
    /// Writes a remark to standard error.
    void note(std::string_view text);
    /// Writes diagnostics to standard error, each text only once in the life of the process:
    /// frames of one run repeat their warnings.
    void report(const Diagnostics& diagnostics);
    /// What is reported from now on counts as new.
    void forget_reported() { reported_.clear(); }

    TextStyle output_style() const { return output_; }
    /// Standard error is a terminal: progress may redraw its line.
    bool interactive() const { return interactive_; }

    /// Flushes standard output. A reader that has gone away (`tuff passes | head`) is no error.
    /// Error: cli/unwritable.
    Result<void> finish();

  private:
    TextStyle output_;
    TextStyle::Colour error_colour_ = TextStyle::Colour::off;
    bool interactive_ = false;
    Diagnostics* kept_ = nullptr;
    int output_error_ = 0; ///< errno of the first failed write
    std::set<std::string> reported_;
};

/// How far a run of many frames has come: a bar that redraws itself on a terminal, a line now and
/// then elsewhere, nothing for a single frame.
class Progress {
  public:
    Progress(Terminal& terminal, std::uint64_t total) : terminal_(&terminal), total_(total) {}
    void advance(std::uint64_t done);
    /// Wipes the bar, so that what is printed next starts on a clean line.
    void clear();

  private:
    Terminal* terminal_;
    std::uint64_t total_;
    std::uint64_t shown_tenth_ = 0;
    bool drawn_ = false;
};

} // namespace tuff::cli
