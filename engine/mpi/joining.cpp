#include "mpi/deadline.hpp"
#include "mpi/library.hpp"
#include "mpi/mpi_communicator.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <string_view>

// How ranks come together, and how they part.
namespace tuff::mpi {
namespace {

constexpr std::size_t kHostBytes = MPI_MAX_PROCESSOR_NAME;
/// A launcher needs longer to start all ranks than a rank may be silent.
constexpr int kTimeoutsToMeet = 30;

/// MPI's first and last call wait for all ranks, and Presence does not serve yet, or no more. The
/// engine's printing of diagnostics is out of reach here.
std::string not_met(const char* call, std::chrono::milliseconds time) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
    return std::string("error[") + "mpi/not-met" + "]: " + call +
           ": not all processes have come to it within " + std::to_string(seconds) +
           " s\n   = hint: see what the launcher says of the others; give them more time by "
           "--rank-timeout, of which this is " +
           std::to_string(kTimeoutsToMeet) + " times as long\n";
}

std::string library_name() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    const std::string_view whole(text.data());
    return std::string(whole.substr(0, whole.find_first_of(",\n")));
}

} // namespace

Result<std::unique_ptr<MpiCommunicator>> MpiCommunicator::join(const CommunicatorOptions& options) {
    std::unique_ptr<MpiCommunicator> ranks(new MpiCommunicator);
    if (auto ready = ranks->set_up(options); !ready) return propagate(std::move(ready));
    return ranks;
}

Result<void> MpiCommunicator::set_up(const CommunicatorOptions& options) {
    timeout_ = options.timeout;
    const auto time = kTimeoutsToMeet * timeout_;
    const Deadline deadline(time, not_met("MPI_Init", time));
    int provided = MPI_THREAD_SINGLE;
    if (auto begun = check("MPI_Init_thread",
                           MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided));
        !begun)
        return begun;
    if (provided < MPI_THREAD_SERIALIZED)
        return fail("mpi/failed", "this MPI serves one thread only",
                    "take an MPI that was built with MPI_THREAD_SERIALIZED");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    library_ = library_name();
    if (auto found = find_hosts(); !found) return found;
    if (auto found = find_lenders(options.lend_memory); !found) return found;
    for (MPI_Comm* communicator : {&lanes_[0], &lanes_[1], &lanes_[2], &living_}) {
        if (auto made = check("MPI_Comm_dup", MPI_Comm_dup(MPI_COMM_WORLD, communicator)); !made)
            return made;
        MPI_Comm_set_errhandler(*communicator, MPI_ERRORS_RETURN);
    }
    presence_ = std::make_unique<Presence>(calls_, living_, timeout_);
    return {};
}

Result<void> MpiCommunicator::find_hosts() {
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::array<char, kHostBytes> own{};
    int length = 0;
    MPI_Get_processor_name(own.data(), &length);
    std::vector<char> all(kHostBytes * static_cast<std::size_t>(size));
    if (auto told =
            check("MPI_Allgather", MPI_Allgather(own.data(), kHostBytes, MPI_CHAR, all.data(),
                                                 kHostBytes, MPI_CHAR, MPI_COMM_WORLD));
        !told)
        return told;
    for (int rank = 0; rank < size; ++rank)
        hosts_.emplace_back(all.data() + kHostBytes * static_cast<std::size_t>(rank));
    MPI_Comm node = MPI_COMM_NULL;
    if (auto split =
            check("MPI_Comm_split_type", MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED,
                                                             rank_, MPI_INFO_NULL, &node));
        !split)
        return split;
    MPI_Comm_rank(node, &local_rank_);
    MPI_Comm_size(node, &local_size_);
    MPI_Comm_free(&node);
    return {};
}

/// Ranks lend each other memory if all want it, on one host.
Result<void> MpiCommunicator::find_lenders(bool lend) {
    constexpr std::size_t kNameBytes = 32;
    std::array<char, kNameBytes> own{};
    const std::string& name = lent_.name();
    if (lend && name.size() < own.size()) std::ranges::copy(name, own.begin());
    std::vector<char> all(kNameBytes * hosts_.size());
    if (auto told =
            check("MPI_Allgather", MPI_Allgather(own.data(), kNameBytes, MPI_CHAR, all.data(),
                                                 kNameBytes, MPI_CHAR, MPI_COMM_WORLD));
        !told)
        return told;
    for (std::size_t rank = 0; rank < hosts_.size(); ++rank)
        lenders_.emplace_back(all.data() + kNameBytes * rank);
    lends_ =
        size() > 1 && local_size_ == size() && std::ranges::none_of(lenders_, &std::string::empty);
    return {};
}

/// MPI may only end when all ranks do: where one is lost, the process ends without.
MpiCommunicator::~MpiCommunicator() {
    if (!presence_) return;
    if (std::uncaught_exceptions() > 0) abort(1); // the others wait for what will not come
    const bool all = barrier().has_value();
    presence_->stop();
    if (!all) return;
    // Nobody speaks any more once all have stopped; what was said is taken.
    if (!collective("MPI_Ibarrier", nullptr, [&](MPI_Request* request) {
            return MPI_Ibarrier(on(Lane::messages), request);
        }))
        return;
    const auto time = kTimeoutsToMeet * timeout_;
    const Deadline deadline(time, not_met("MPI_Finalize", time));
    presence_->drain();
    for (Kept& kept : kept_)
        MPI_Wait(&kept.request, MPI_STATUS_IGNORE);
    MPI_Finalize();
}

} // namespace tuff::mpi

extern "C" __attribute__((visibility("default"))) tuff::Communicator*
tuff_join_ranks(const tuff::CommunicatorOptions& options, tuff::Diagnostics& problems) {
    auto joined = tuff::mpi::MpiCommunicator::join(options);
    if (joined) return joined->release();
    problems = std::move(joined.error());
    return nullptr;
}
