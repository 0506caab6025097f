#include "apps/shared/watch.hpp"

#include "apps/shared/file_watch.hpp"
#include "apps/shared/interrupt.hpp"
#include "core/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>

namespace tuff::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kLookEvery = 100ms;
/// Editors write a file in several steps, and several files one after the other.
constexpr auto kSettle = 50ms;

bool was_interrupted(const Outcome<void>& done) {
    return !done && std::ranges::any_of(done.error().diagnostics, [](const Diagnostic& d) {
        return d.code == "cli/interrupted";
    });
}

/// False: Ctrl-C.
bool wait_for_change(FileWatch& watched) {
    const InterruptGuard guard;
    while (watched.changed().empty()) {
        if (guard.interrupted()) return false;
        std::this_thread::sleep_for(kLookEvery);
    }
    do
        std::this_thread::sleep_for(kSettle);
    while (!watched.changed().empty());
    return true;
}

} // namespace

Outcome<void> watch(const FilesRead& files, Terminal& terminal,
                    const std::function<Outcome<void>()>& once) {
    FileWatch watched;
    std::vector<fs::path> known;
    while (true) {
        files->clear();
        terminal.forget_reported();
        const Outcome<void> done = once();
        if (was_interrupted(done)) return done;
        // What a broken config would read is not known: what it read before may mend it.
        if (done) known.clear();
        std::ranges::copy(*files, std::back_inserter(known));
        if (!done) {
            terminal.report(done.error().diagnostics);
            for (const Diagnostic& problem : done.error().diagnostics)
                if (fs::path file = problem.where.file; !file.empty()) known.push_back(file);
        }
        std::ranges::sort(known);
        known.erase(std::ranges::unique(known).begin(), known.end());
        watched.watch(known);
        terminal.flush();
        terminal.note(fmt::format("watching {}; Ctrl-C ends\n", counted(known.size(), "file")));
        if (!wait_for_change(watched)) return {};
    }
}

} // namespace tuff::cli
