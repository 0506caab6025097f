#include "apps/tuff/ranks/agreement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace tuff::cli {
namespace {

std::string precision_text(const DeviceCaps& caps) {
    return fmt::format("floats of {}32{} bits", caps.fp16 ? "16, " : "", caps.fp64 ? ", 64" : "");
}

} // namespace

void describe_rank(Statement& statement, const OpenedConfig& config,
                   std::vector<std::filesystem::path> sources, FileHashes& hashes,
                   const DeviceCaps& caps) {
    std::ranges::copy(config.asset_files(), std::back_inserter(sources));
    std::set<std::string> contents;
    for (const std::filesystem::path& file : sources)
        if (const auto hashed = hashes.of(whole_path(file))) contents.insert(hashed->sha256);
    statement.config = fmt::format("{}", fmt::join(contents, " "));
    statement.precision = precision_text(caps);
    statement.device = fmt::format("{} ({})", caps.name, caps.driver);
}

Outcome<Diagnostics> compare_all(const Communicator& ranks, const std::vector<Bytes>& statements) {
    std::vector<Statement> read;
    std::vector<std::string> names;
    int exit_code = kExitUsage;
    for (std::size_t rank = 0; rank < statements.size(); ++rank) {
        read.push_back(statement_of(statements[rank]));
        names.push_back(ranks.name(static_cast<std::int32_t>(rank)));
        if (!read.back().problems.empty()) exit_code = read.back().exit_code;
    }
    Diagnostics found = compare(read, names);
    if (has_errors(found)) return std::unexpected(Failure{std::move(found), exit_code});
    return found;
}

Outcome<void> silent(int exit_code) {
    if (exit_code == kExitOk) return {};
    return std::unexpected(Failure{.diagnostics = {}, .exit_code = exit_code});
}

Outcome<void> failed_ranks(const Communicator& ranks, Diagnostics problems) {
    if (ranks.rank() > 0 && !ranks.lost(0) && !ranks.lost(ranks.rank())) problems.clear();
    for (Diagnostic& problem : problems)
        if (problem.code == "mpi/lost-rank")
            problem.hint = "finished runs are written down; the same command goes on from there";
    return run_failure(std::move(problems));
}

Result<Verdict> spread(Communicator& ranks, const Outcome<void>& own, bool go) {
    Bytes bytes =
        to_bytes(Verdict{.go = own && go, .exit_code = own ? kExitOk : own.error().exit_code});
    if (auto told = ranks.broadcast(bytes, 0); !told) return propagate(std::move(told));
    return verdict_of(bytes);
}

Outcome<void> told_now(Outcome<void> done, Terminal& terminal) {
    if (done) return done;
    terminal.report(done.error().diagnostics);
    terminal.flush();
    done.error().diagnostics.clear();
    return done;
}

void end_all(Communicator& ranks, const Failure& failure) {
    std::fputs(to_string(with_rank(failure.diagnostics, ranks.name(ranks.rank()))).c_str(), stderr);
    std::fflush(stderr);
    ranks.abort(failure.exit_code);
    std::unreachable();
}

} // namespace tuff::cli
