#include "mpi/mpi_communicator.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>

namespace tuff::mpi {
namespace {

MPI_Op operation_of(Reduction reduction) {
    switch (reduction) {
    case Reduction::sum: return MPI_SUM;
    case Reduction::min: return MPI_MIN;
    case Reduction::max: return MPI_MAX;
    }
    return MPI_SUM;
}

} // namespace

Result<void> MpiCommunicator::collective(const char* name, const std::shared_ptr<void>& bytes,
                                         const std::function<int(MPI_Request*)>& begin) {
    if (auto there = still_there(kAnyRank); !there) return there;
    MPI_Request request = MPI_REQUEST_NULL;
    {
        const std::lock_guard lock(calls_);
        if (auto begun = check(name, begin(&request)); !begun) return begun;
    }
    auto done = wait_until(kAnyRank, [&] { return is_done(request); });
    if (done || request == MPI_REQUEST_NULL) return done;
    // Collective calls cannot be cancelled: what MPI may still write to is kept for ever.
    const std::lock_guard lock(calls_);
    kept_.push_back({bytes, request});
    return done;
}

Result<void> MpiCommunicator::barrier() {
    return collective("MPI_Ibarrier", nullptr, [&](MPI_Request* request) {
        return MPI_Ibarrier(on(Lane::messages), request);
    });
}

Result<void> MpiCommunicator::broadcast(std::vector<std::byte>& bytes, std::int32_t root) {
    if (auto known = check_peer(root, 0); !known) return known;
    auto size = std::make_shared<std::uint64_t>(bytes.size());
    if (auto told = collective("MPI_Ibcast", size,
                               [&](MPI_Request* request) {
                                   return MPI_Ibcast(size.get(), 1, MPI_UINT64_T, root,
                                                     on(Lane::messages), request);
                               });
        !told)
        return told;
    auto copy = std::make_shared<std::vector<std::byte>>(bytes);
    copy->resize(*size);
    auto done = collective("MPI_Ibcast", copy, [&](MPI_Request* request) {
        return MPI_Ibcast(copy->data(), static_cast<int>(copy->size()), MPI_BYTE, root,
                          on(Lane::messages), request);
    });
    if (done) bytes = std::move(*copy);
    return done;
}

template <typename Number>
Result<void> MpiCommunicator::reduce(std::span<Number> numbers, Reduction reduction,
                                     MPI_Datatype type) {
    auto copy = std::make_shared<std::vector<Number>>(numbers.begin(), numbers.end());
    auto done = collective("MPI_Iallreduce", copy, [&](MPI_Request* request) {
        return MPI_Iallreduce(MPI_IN_PLACE, copy->data(), static_cast<int>(copy->size()), type,
                              operation_of(reduction), on(Lane::messages), request);
    });
    if (done) std::ranges::copy(*copy, numbers.begin());
    return done;
}

Result<void> MpiCommunicator::all_reduce(std::span<double> numbers, Reduction reduction) {
    return reduce(numbers, reduction, MPI_DOUBLE);
}

Result<void> MpiCommunicator::all_reduce(std::span<std::int64_t> numbers, Reduction reduction) {
    return reduce(numbers, reduction, MPI_INT64_T);
}

Result<std::vector<std::vector<std::byte>>>
MpiCommunicator::gather(std::span<const std::byte> bytes, std::int32_t root) {
    if (auto known = check_peer(root, 0); !known) return propagate(std::move(known));
    struct Work {
        std::vector<std::byte> own, all;
        int size = 0;
        std::vector<int> sizes, offsets;
    };
    auto work = std::make_shared<Work>();
    work->own.assign(bytes.begin(), bytes.end());
    work->size = static_cast<int>(bytes.size());
    work->sizes.resize(hosts_.size());
    work->offsets.resize(hosts_.size());
    if (auto told = collective("MPI_Igather", work,
                               [&](MPI_Request* request) {
                                   return MPI_Igather(&work->size, 1, MPI_INT, work->sizes.data(),
                                                      1, MPI_INT, root, on(Lane::messages),
                                                      request);
                               });
        !told)
        return propagate(std::move(told));
    std::exclusive_scan(work->sizes.begin(), work->sizes.end(), work->offsets.begin(), 0);
    work->all.resize(static_cast<std::size_t>(work->offsets.back() + work->sizes.back()));
    if (auto told = collective("MPI_Igatherv", work,
                               [&](MPI_Request* request) {
                                   return MPI_Igatherv(work->own.data(), work->size, MPI_BYTE,
                                                       work->all.data(), work->sizes.data(),
                                                       work->offsets.data(), MPI_BYTE, root,
                                                       on(Lane::messages), request);
                               });
        !told)
        return propagate(std::move(told));
    std::vector<std::vector<std::byte>> parts;
    for (std::size_t i = 0; i < hosts_.size() && rank_ == root; ++i) {
        const auto begin = work->all.begin() + work->offsets[i];
        parts.emplace_back(begin, begin + work->sizes[i]);
    }
    return parts;
}

} // namespace tuff::mpi
