#include "passes/mpi/all_reduce.hpp"

#include "passes/mpi/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace tuff::passes {
namespace {

template <typename Number>
Number combined(Number a, Number b, RankOperation operation) {
    switch (operation) {
    case RankOperation::sum: return static_cast<Number>(a + b);
    case RankOperation::min: return std::min(a, b);
    case RankOperation::max: return std::max(a, b);
    }
    return a;
}

template <typename Number>
void combine_into(std::span<std::byte> result, std::span<const std::byte> other,
                  RankOperation operation) {
    for (std::size_t at = 0; at + sizeof(Number) <= result.size(); at += sizeof(Number)) {
        Number a, b;
        std::memcpy(&a, result.data() + at, sizeof(Number));
        std::memcpy(&b, other.data() + at, sizeof(Number));
        a = combined(a, b, operation);
        std::memcpy(result.data() + at, &a, sizeof(Number));
    }
}

/// The numbers of all ranks lie one after the other. They are combined in the order of the ranks,
/// so that all get the same bits, whatever the messages did.
class CombineTask final : public HostTask {
  public:
    CombineTask(std::uint32_t ranks, std::uint32_t rank, RankNumber type, RankOperation operation)
        : ranks_(ranks), rank_(rank), type_(type), operation_(operation) {}

    Result<void> run(const HostBuffers& buffers) override {
        const std::span<std::byte> result = buffers.written[0];
        for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
            const auto numbers = rank == rank_
                                     ? buffers.read[0]
                                     : buffers.read[1].subspan(rank * result.size(), result.size());
            if (rank == 0) {
                std::ranges::copy(numbers, result.begin());
                continue;
            }
            switch (type_) {
            case RankNumber::f32: combine_into<float>(result, numbers, operation_); break;
            case RankNumber::u32: combine_into<std::uint32_t>(result, numbers, operation_); break;
            case RankNumber::i32: combine_into<std::int32_t>(result, numbers, operation_); break;
            }
        }
        return {};
    }

    bool equals(const HostTask& other) const override {
        const auto* const task = dynamic_cast<const CombineTask*>(&other);
        return task && ranks_ == task->ranks_ && rank_ == task->rank_ && type_ == task->type_ &&
               operation_ == task->operation_;
    }

  private:
    std::uint32_t ranks_;
    std::uint32_t rank_;
    RankNumber type_;
    RankOperation operation_;
};

} // namespace

void AllReduce::describe(PassInfo<AllReduce>& info) {
    info.summary("Combines the numbers of all ranks, element by element")
        .details("Each rank has an array of the same length, and all get the sums, or the least or "
                 "greatest, of their elements. The numbers are combined on the host, in the order "
                 "of the ranks: all ranks get the same bits, in each run, but a sum of floats "
                 "depends on the number of ranks. It is meant for few numbers: reduce on the "
                 "device first, by primitives/reduce.")
        .complexity("O(elements times ranks)")
        .cost([](const AllReduce& pass, const Graph& graph) -> Cost {
            return {.bytes = 2.0 * static_cast<double>(graph.desc(pass.source).size)};
        });
    info.input("source", &AllReduce::source, "the rank's numbers").elements_by("type");
    info.parameter("type", &AllReduce::type, "their type").structural();
    info.parameter("operation", &AllReduce::operation, "how they are combined").structural();
    info.output("result", &AllReduce::result, "the numbers of all ranks combined")
        .elements_by("type");
}

void AllReduce::build(Graph& graph) {
    const Ranks ranks = graph.ranks();
    const std::uint64_t size = graph.desc(source).size;
    if (size % 4 != 0) {
        graph.error("mpi/part-size",
                    fmt::format("the buffer of {} bytes is not an array of 32-bit numbers", size));
        return;
    }
    const BufferDesc numbers{.size = size, .stride = 4};
    if (ranks.size() == 1) {
        result = graph.copy(source, graph.buffer("result", numbers), "copy");
        return;
    }
    Messages messages;
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        if (rank == ranks.rank) continue;
        messages.sends.push_back({.rank = rank, .offset = 0, .size = size});
        messages.receives.push_back({.rank = rank, .offset = rank * size, .size = size});
    }
    // What belongs to the host is copied, for the source may be of any kind.
    const Buffer sent = graph.copy(source, graph.buffer("sent", numbers), "copy");
    const Buffer received =
        exchange_messages(graph, "send_receive", std::move(messages), sent,
                          graph.buffer("received", {.size = ranks.size() * size, .stride = 4}));
    HostNodeBuilder combine = graph.host(
        "combine", std::make_shared<CombineTask>(ranks.size(), ranks.rank, type, operation));
    combine.read(sent);
    combine.read(received);
    result = combine.write(graph.buffer("result", numbers));
}

TUFF_PASS(AllReduce)

} // namespace tuff::passes
