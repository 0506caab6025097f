#pragma once

#include "apps/shared/program_options.hpp"

/// What the commands of tuff-bench do.
namespace tuff::cli {

Outcome<void> run_bench(const BenchOptions& options, Terminal& terminal);
Outcome<void> run_bench_graphs(const BenchGraphsOptions& options, Terminal& terminal);
Outcome<void> run_bench_compile(const BenchCompileOptions& options, Terminal& terminal);
Outcome<void> run_bench_replay(const BenchReplayOptions& options, Terminal& terminal);
Outcome<void> run_bench_ranks(const BenchRanksOptions& options, Terminal& terminal);

} // namespace tuff::cli
