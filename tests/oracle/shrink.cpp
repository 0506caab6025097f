#include "tests/oracle/random_graph.hpp"

#include <algorithm>

namespace tuff::oracle {
namespace {

using Fails = std::function<bool(const Program&)>;

/// Leaves out `count` steps at a time wherever the rest still fails.
bool drop_steps(Program& program, std::size_t count, const Fails& fails) {
    bool progress = false;
    for (std::size_t at = program.size() / kStepBytes; at-- > 0;) {
        const std::size_t first = at * kStepBytes;
        if (first >= program.size()) continue;
        const std::size_t last = std::min(first + count * kStepBytes, program.size());
        Program smaller = program;
        smaller.erase(smaller.begin() + static_cast<std::ptrdiff_t>(first),
                      smaller.begin() + static_cast<std::ptrdiff_t>(last));
        if (!fails(smaller)) continue;
        program = std::move(smaller);
        progress = true;
    }
    return progress;
}

bool lower_bytes(Program& program, const Fails& fails) {
    bool progress = false;
    for (std::size_t i = 0; i < program.size(); ++i) {
        const std::uint8_t old = program[i];
        for (const int lower : {0, old / 2, old - 1}) {
            if (lower < 0 || lower >= program[i]) continue;
            const std::uint8_t before = program[i];
            program[i] = static_cast<std::uint8_t>(lower);
            if (fails(program)) {
                progress = true;
                break;
            }
            program[i] = before;
        }
    }
    return progress;
}

} // namespace

Program shrink(Program program, const Fails& fails) {
    program.resize(program.size() / kStepBytes * kStepBytes);
    bool progress = true;
    while (progress) {
        progress = false;
        for (std::size_t count = program.size() / kStepBytes / 2; count > 0; count /= 2)
            progress = drop_steps(program, count, fails) || progress;
        progress = lower_bytes(program, fails) || progress;
    }
    return program;
}

} // namespace tuff::oracle
