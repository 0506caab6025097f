#include "apps/shared/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tuff::cli {
namespace {

bool is_terminal(std::FILE* stream) {
    return isatty(fileno(stream)) == 1;
}

TextStyle::Colour colour_for(std::FILE* stream) {
    const char* no_color = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    const bool dumb = term && std::string_view(term) == "dumb";
    const bool refused = no_color && *no_color;
    return is_terminal(stream) && !dumb && !refused ? TextStyle::Colour::on
                                                    : TextStyle::Colour::off;
}

} // namespace

Terminal Terminal::attach() {
    // A closed pipe then shows as EPIPE, and files under way are still finished properly.
    std::signal(SIGPIPE, SIG_IGN);
    Terminal terminal;
    terminal.output_ = TextStyle(colour_for(stdout));
    terminal.error_colour_ = colour_for(stderr);
    terminal.interactive_ = is_terminal(stderr);
    return terminal;
}

void Terminal::print(std::string_view text) {
    if (!kept_) show(text);
}

void Terminal::show(std::string_view text) {
    if (output_error_ != 0) return;
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) output_error_ = errno;
}

void Terminal::note(std::string_view text) {
    if (kept_) return;
    // There is nobody to tell when standard error fails.
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
    (void)std::fflush(stderr);
}

void Terminal::report(const Diagnostics& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics) {
        std::string text = to_string(diagnostic, error_colour_ == TextStyle::Colour::on);
        if (!text.ends_with('\n')) text += '\n';
        if (!reported_.insert(text).second) continue;
        if (kept_) kept_->push_back(diagnostic);
        note(text);
    }
}

void Terminal::flush() {
    if (output_error_ == 0 && std::fflush(stdout) != 0) output_error_ = errno;
}

Result<void> Terminal::finish() {
    flush();
    if (output_error_ == 0 || output_error_ == EPIPE) return {};
    return fail("cli/unwritable",
                fmt::format("cannot write to standard output: {}", std::strerror(output_error_)));
}

void Progress::advance(std::uint64_t done) {
    if (total_ <= 1) return;
    const std::uint64_t tenth = done * 10 / total_;
    if (terminal_->interactive()) {
        constexpr std::uint64_t kWidth = 30;
        const std::uint64_t filled = done * kWidth / total_;
        terminal_->note(fmt::format("\r[{:#>{}}{:.>{}}] {}/{} frames", "", filled, "",
                                    kWidth - filled, done, total_));
        drawn_ = true;
    } else if (tenth > shown_tenth_) {
        terminal_->note(fmt::format("{}/{} frames\n", done, total_));
    }
    shown_tenth_ = tenth;
}

void Progress::clear() {
    if (drawn_) terminal_->note("\r\x1b[K");
    drawn_ = false;
}

} // namespace tuff::cli
