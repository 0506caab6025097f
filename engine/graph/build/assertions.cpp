#include <tuff/graph.hpp>
#include <tuff/watch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

/// What kernels assert (shaders/include/assert.glsl): each node that does has words of its own,
/// which a status tells.
namespace tuff {
namespace {

constexpr std::string_view kAssertions = "assertions";
constexpr std::string_view kHasAssertions = "has_assertions";
// As in assert.glsl.
constexpr std::size_t kAssertionHead = 4;
constexpr std::size_t kAssertionLines = 31;
constexpr std::size_t kAssertionWords = 4;

class FailedAssertions : public StatusNames {
  public:
    FailedAssertions(std::string_view node, const ShaderInterface& kernel)
        : node_(node), kernel_(kernel.name.substr(0, kernel.name.find('#'))),
          lines_(kernel.assertions) {}

    Diagnostics read(std::span<const std::uint32_t> words) const override {
        struct Line {
            std::uint32_t number, count, first;
        };
        std::vector<Line> failed;
        for (std::size_t i = 0; i < kAssertionLines; ++i) {
            const auto of = words.subspan(kAssertionHead + i * kAssertionWords, kAssertionWords);
            if (of[0] != 0) failed.push_back({of[0], of[1], ~of[2]});
        }
        std::ranges::sort(failed, {}, &Line::number);
        Diagnostics all;
        for (const Line& line : failed) {
            const std::uint32_t x = line.first % words[0];
            const std::uint32_t y = line.first / words[0] % words[1];
            const std::uint32_t z = line.first / words[0] / words[1];
            all.push_back(
                {.code = "graph/assertion-failed",
                 .message = fmt::format("kernel '{}' of node '{}', line {}: {} does not hold in {} "
                                        "invocation{}, first in ({}, {}, {})",
                                        kernel_, node_, line.number, text_of(line.number),
                                        line.count, line.count == 1 ? "" : "s", x, y, z),
                 .where = {},
                 .hint = "--assertions off runs kernels without"});
        }
        if (words[3] != 0)
            all.push_back({.code = "graph/assertion-failed",
                           .message = fmt::format("kernel '{}' of node '{}': {} more failures, of "
                                                  "more lines than {}",
                                                  kernel_, node_, words[3], kAssertionLines),
                           .where = {},
                           .hint = {}});
        return all;
    }

  private:
    std::string text_of(std::uint32_t number) const {
        const auto found = std::ranges::find(lines_, number, &SourceLine::number);
        return found == lines_.end() ? "an assertion" : found->text;
    }

    std::string node_;
    std::string kernel_;
    std::vector<SourceLine> lines_;
};

const SpecializationConstant* flag_of(const ShaderInterface& kernel) {
    const auto found =
        std::ranges::find(kernel.constants, kHasAssertions, &SpecializationConstant::name);
    return found == kernel.constants.end() ? nullptr : &*found;
}

} // namespace

bool binds_assertions(const ShaderInterface& kernel, const ShaderBinding& binding) {
    return binding.name == kAssertions && binding.kind == BindingKind::storage_buffer &&
           flag_of(kernel) != nullptr;
}

std::optional<Buffer> Graph::room_for_assertions(std::string_view node,
                                                 const ShaderInterface* kernel) {
    const ShaderBinding* binding = kernel ? kernel->find_binding(kAssertions) : nullptr;
    if (!binding || !binds_assertions(*kernel, *binding)) return std::nullopt;
    // The host reads it when all iterations have ended.
    const std::vector<OpenIteration> open = std::exchange(open_iterations_, {});
    const std::string name = fmt::format("{}/{}", node, kAssertions);
    constexpr std::uint64_t kBytes = 4 * (kAssertionHead + kAssertionLines * kAssertionWords);
    const Buffer words = fill(buffer(name, {.size = kBytes, .stride = 4}), 0, name);
    open_iterations_ = open;
    return words;
}

void Graph::count_assertions(NodeId node, Buffer words) {
    const Buffer counted = ComputeNodeBuilder(*this, node).write(kAssertions, words);
    add_status(counted.version,
               StatusReader(std::make_shared<const FailedAssertions>(desc_.name_of(node),
                                                                     *kernel_of(node)->shader)),
               nullptr);
}

GraphDesc without_assertions(GraphDesc graph) {
    for (NodePayload& payload : graph.payloads) {
        auto* const compute = std::get_if<ComputeNode>(&payload);
        if (!compute || !compute->kernel.shader) continue;
        const SpecializationConstant* const flag = flag_of(*compute->kernel.shader);
        if (flag) compute->kernel.constants.push_back({flag->id, 0});
    }
    return graph;
}

} // namespace tuff
