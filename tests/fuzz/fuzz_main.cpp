// Runs the fuzz targets without libFuzzer, with whatever compiler builds the tree:
//
//     tuff_fuzz [--seconds N] [--rounds N] [--seed N] [--repeat FILE] [TARGET...]
//
// Each target gets its seeds and then damaged ones, in a process of its own with a limit on memory
// and time. What crashes, hangs, takes too much memory or is answered badly is kept in a file.

#include "tests/fuzz/inputs.hpp"
#include "tests/fuzz/mutator.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace {

using tuff::fuzz::Input;
using tuff::fuzz::Target;
using Clock = std::chrono::steady_clock;

/// Of one input. The slowest reader starts a process.
constexpr unsigned kMaxSeconds = 30;
/// The largest block that an input of at most kMaxInput bytes may make a reader ask for.
constexpr std::size_t kMaxBlock = std::size_t{512} << 20;
constexpr std::size_t kMaxInput = std::size_t{1} << 16;

struct Options {
    std::optional<unsigned> seconds; ///< of all targets together
    /// Of each target at most.
    std::uint64_t rounds = std::numeric_limits<std::uint64_t>::max();
    std::uint32_t seed = 1;
    std::string repeat;
    std::vector<const Target*> targets;
};

/// What a target's process leaves for this one, however it ends.
struct Shared {
    std::uint64_t inputs;
    double slowest; ///< seconds
    std::size_t size;
    std::uint8_t input[kMaxInput];
    char objection[4096];
};

Input read_input(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return Input(std::istreambuf_iterator<char>(stream), {});
}

/// The inputs of a folder of tests/fuzz.
std::vector<Input> inputs_of(std::string_view folder, std::string_view target) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(
             std::filesystem::path(TUFF_FUZZ_FOLDER) / folder / target, error))
        files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<Input> seeds;
    for (const auto& file : files)
        seeds.push_back(read_input(file));
    return seeds;
}

std::size_t largest_block = 0;

/// One input, in the target's process, which ends at an objection.
void try_input(const Target& target, const Input& input, Shared& shared) {
    shared.size = std::min(input.size(), kMaxInput);
    std::copy_n(input.begin(), shared.size, shared.input);
    alarm(kMaxSeconds);
    largest_block = 0;
    const auto start = Clock::now();
    std::string objection = target.objection({shared.input, shared.size});
    shared.slowest =
        std::max(shared.slowest, std::chrono::duration<double>(Clock::now() - start).count());
    ++shared.inputs;
    if (objection.empty() && largest_block > kMaxBlock)
        objection =
            fmt::format("{} bytes of memory for an input of {}", largest_block, shared.size);
    if (objection.empty()) return;
    std::strncpy(shared.objection, objection.c_str(), sizeof shared.objection - 1);
    std::exit(1);
}

[[noreturn]] void run_target(const Target& target, const Options& options, double seconds,
                             Shared& shared) {
    if (!options.repeat.empty()) {
        try_input(target, read_input(options.repeat), shared);
        std::exit(0);
    }
    const std::vector<Input> seeds = inputs_of("seeds", target.name);
    for (const Input& seed : seeds)
        try_input(target, seed, shared);
    // What was found before. Not to be damaged further: some take their reader all its time.
    for (const Input& found : inputs_of("found", target.name))
        try_input(target, found, shared);
    tuff::fuzz::Mutator mutator(
        seeds,
        tuff::fuzz::read_dictionary(fmt::format("{}/{}.dict", TUFF_FUZZ_FOLDER, target.name)),
        options.seed);
    const auto start = Clock::now();
    for (std::uint64_t round = 0;; ++round) {
        const std::chrono::duration<double> passed = Clock::now() - start;
        if (round >= options.rounds || (options.seconds && passed.count() > seconds)) break;
        try_input(target, mutator.next(), shared);
    }
    std::exit(0);
}

/// What is wrong with how a target's process ended; empty: nothing.
std::string fault_of(int status, const Shared& shared) {
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGALRM
                   ? fmt::format("an input took more than {} s", kMaxSeconds)
                   : fmt::format("ended by signal {} ({})", WTERMSIG(status),
                                 strsignal(WTERMSIG(status)));
    if (shared.objection[0] != 0) return shared.objection;
    return WEXITSTATUS(status) == 0 ? "" : fmt::format("ended with {}", WEXITSTATUS(status));
}

bool run(const Target& target, const Options& options) {
    auto* const shared = static_cast<Shared*>(
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (shared == MAP_FAILED) std::abort();
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        run_target(target, options,
                   options.seconds.value_or(0) / static_cast<double>(options.targets.size()),
                   *shared);
    int status = 0;
    waitpid(child, &status, 0);
    const std::string fault = fault_of(status, *shared);
    fmt::print("{:<12} {:>9} {:>11.3f}  {}\n", target.name, shared->inputs, shared->slowest,
               fault.empty() ? "ok" : fault);
    std::fflush(stdout);
    if (!fault.empty() && options.repeat.empty()) {
        const std::string file = fmt::format("crash-{}", target.name);
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(shared->input),
                   static_cast<std::streamsize>(shared->size));
        fmt::print("  the input is in {}; again: tuff_fuzz --repeat {} {}\n", file, file,
                   target.name);
    }
    munmap(shared, sizeof(Shared));
    return fault.empty();
}

[[noreturn]] void refuse(const std::string& why) {
    fmt::print(stderr,
               "tuff_fuzz: {}\nusage: tuff_fuzz [--seconds N] [--rounds N] [--seed N] "
               "[--repeat FILE] [TARGET...]\n",
               why);
    std::exit(2);
}

template <typename T>
T number(std::string_view text) {
    T value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        refuse(fmt::format("'{}' is not a whole number", text));
    return value;
}

Options read_options(int count, char** words) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        const auto value = [&] {
            if (++i == count) refuse(fmt::format("{} needs a value", word));
            return std::string_view(words[i]);
        };
        if (word == "--seconds")
            options.seconds = number<unsigned>(value());
        else if (word == "--rounds")
            options.rounds = number<std::uint64_t>(value());
        else if (word == "--seed")
            options.seed = number<std::uint32_t>(value());
        else if (word == "--repeat")
            options.repeat = value();
        else if (const Target* target = tuff::fuzz::find_target(word))
            options.targets.push_back(target);
        else
            refuse(fmt::format("there is no target '{}'", word));
    }
    if (!options.repeat.empty() && options.targets.size() != 1) refuse("--repeat takes one target");
    if (!options.seconds && options.rounds > 1'000'000'000) options.rounds = 1000;
    if (options.targets.empty())
        for (const Target& target : tuff::fuzz::targets())
            options.targets.push_back(&target);
    return options;
}

void* allocate(std::size_t size, std::size_t alignment) {
    largest_block = std::max(largest_block, size);
    const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
    if (rounded >= size)
        if (void* memory = std::aligned_alloc(alignment, std::max(rounded, alignment)))
            return memory;
    if (const auto handler = std::get_new_handler()) handler();
    throw std::bad_alloc();
}

} // namespace

// The array and nothrow forms of the standard library call these.
void* operator new(std::size_t size) {
    return allocate(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

int main(int count, char** words) {
    const Options options = read_options(count, words);
    fmt::print("{:<12} {:>9} {:>11}\n", "target", "inputs", "slowest s");
    bool sound = true;
    for (const Target* target : options.targets)
        sound = run(*target, options) && sound;
    return sound ? 0 : 1;
}
