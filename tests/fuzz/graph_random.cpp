#include "tests/fuzz/inputs.hpp"
#include "tests/oracle/random_graph.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

/// graph_fuzz for builds without libFuzzer: random inputs instead of guided ones.
namespace tuff::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Run {
    std::uint64_t graphs = 0;
    std::uint64_t seconds = 0; ///< 0: no matter how long
    std::uint64_t seed = 1;
};

std::optional<Run> parse(std::span<char*> arguments) {
    Run run;
    if (arguments.size() % 2 != 0) return std::nullopt;
    for (std::size_t i = 0; i < arguments.size(); i += 2) {
        const std::string_view option = arguments[i];
        std::uint64_t* number = option == "--random"    ? &run.graphs
                                : option == "--seconds" ? &run.seconds
                                : option == "--seed"    ? &run.seed
                                                        : nullptr;
        const char* end = arguments[i + 1] + std::strlen(arguments[i + 1]);
        if (!number) return std::nullopt;
        const auto [rest, error] = std::from_chars(arguments[i + 1], end, *number);
        if (error != std::errc{} || rest != end) return std::nullopt;
    }
    if (run.graphs == 0 && run.seconds == 0) return std::nullopt;
    if (run.graphs == 0) run.graphs = std::numeric_limits<std::uint64_t>::max();
    return run;
}

/// Every mode comes in turn, small graphs as often as large ones.
Bytes input_of(std::uint64_t seed) {
    Bytes bytes = {static_cast<std::uint8_t>(seed)};
    const oracle::Program program = oracle::random_program(seed, (seed >> 8) % 2 == 0 ? 16 : 64);
    bytes.insert(bytes.end(), program.begin(), program.end());
    return bytes;
}

Bytes smallest(const Bytes& bytes) {
    const auto with_modes = [&](const oracle::Program& program) {
        Bytes input = {bytes[0]};
        input.insert(input.end(), program.begin(), program.end());
        return input;
    };
    return with_modes(
        oracle::shrink({bytes.begin() + 1, bytes.end()}, [&](const oracle::Program& program) {
            return !objection_to_graph(with_modes(program)).empty();
        }));
}

void print_objection(std::uint64_t seed, const Bytes& bytes) {
    const Bytes small = smallest(bytes);
    fmt::print("seed {}, smallest input {:02x}\n{}\n", seed, fmt::join(small, ""),
               objection_to_graph(small));
}

int run(const Run& run) {
    constexpr std::uint64_t kMaxPrinted = 8;
    const auto begin = std::chrono::steady_clock::now();
    std::uint64_t objections = 0;
    bool over = false;
    for (std::uint64_t i = 0; !over; ++i) {
        const Bytes bytes = input_of(run.seed + i);
        if (!objection_to_graph(bytes).empty() && ++objections <= kMaxPrinted)
            print_objection(run.seed + i, bytes);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
        over = i + 1 == run.graphs ||
               (run.seconds != 0 && time.count() >= static_cast<double>(run.seconds));
        if ((i + 1) % 20'000 != 0 && !over) continue;
        fmt::print("{} graphs, {} objections, {:.0f} s\n", i + 1, objections, time.count());
        std::fflush(stdout);
    }
    return objections == 0 ? 0 : 1;
}

} // namespace
} // namespace tuff::fuzz

int main(int count, char** arguments) {
    const auto run =
        tuff::fuzz::parse(std::span(arguments, static_cast<std::size_t>(count)).subspan(1));
    if (run) return tuff::fuzz::run(*run);
    fmt::print(stderr, "usage: graph_fuzz [--random GRAPHS] [--seconds N] [--seed FIRST]\n"
                       "Compiles random graphs in all modes and has the oracle judge each plan.\n"
                       "Coverage-guided fuzzing takes the preset fuzz: tests/fuzz/README.md.\n");
    return 2;
}
