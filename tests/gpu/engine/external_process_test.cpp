// Memory and semaphores that two processes share; tests/external/peer.cpp is the other one.

#include "external_fixture.hpp"
#include "tests/external/messages.hpp"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // NOLINT: POSIX declares it nowhere

namespace tuff::testing_gpu {
namespace {

using test::Order;

constexpr std::uint32_t kPeerWords = 4'099;
constexpr BufferDesc kPeerBuffer{.size = 4 * kPeerWords, .stride = 4};

/// A running peer; waits for its end.
class Peer {
  public:
    Peer() {
        int ends[2] = {-1, -1};
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
        socket_ = FileDescriptor(ends[0]);
        const FileDescriptor its(ends[1]);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        constexpr int kNumber = 200; // of its end, above all others
        posix_spawn_file_actions_adddup2(&actions, its.get(), kNumber);
        std::string program = TUFF_EXTERNAL_PEER;
        std::string number = std::to_string(kNumber);
        char* const arguments[] = {program.data(), number.data(), nullptr};
        EXPECT_EQ(posix_spawn(&process_, program.c_str(), &actions, nullptr, arguments, environ),
                  0);
        posix_spawn_file_actions_destroy(&actions);
    }
    ~Peer() {
        if (process_ != 0) wait();
    }
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    int socket() const { return socket_.get(); }
    void tell(Order order) { EXPECT_TRUE(test::send_message(socket(), order)); }
    /// Tells it, and waits until it has done so.
    void run(Order order) {
        tell(order);
        const auto answer = test::receive_message<Order>(socket());
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->info, order);
    }
    /// As waitpid has it.
    int wait() {
        int status = 0;
        socket_ = FileDescriptor(); // it ends in any case
        EXPECT_EQ(waitpid(process_, &status, 0), process_);
        process_ = 0;
        return status;
    }

  private:
    FileDescriptor socket_;
    pid_t process_ = 0;
};

class ExternalProcess : public ExternalTest {
  protected:
    /// Gives it `buffer`, and takes its own.
    ExternalBuffer meet(Peer& peer, const ExternalBuffer& buffer) {
        EXPECT_TRUE(
            test::send_message(peer.socket(), buffer.info(), taken(buffer.export_memory()).get()));
        if (external_caps(device()).binary_semaphores) {
            before_ = taken(ExternalSemaphore::create(device(), SemaphoreKind::binary));
            EXPECT_TRUE(test::send_message(peer.socket(), before_->info(),
                                           taken(before_->export_semaphore()).get()));
        }
        auto made = test::receive_message<ExternalBufferInfo>(peer.socket());
        EXPECT_TRUE(made) << "the peer has ended";
        if (!made) return taken(ExternalBuffer::create(device(), kPeerBuffer));
        if (before_) {
            auto semaphore = test::receive_message<ExternalSemaphoreInfo>(peer.socket());
            EXPECT_TRUE(semaphore);
            if (semaphore)
                after_ = taken(ExternalSemaphore::open(device(), semaphore->info,
                                                       std::move(semaphore->descriptor)));
        }
        return taken(ExternalBuffer::open(device(), made->info, std::move(made->descriptor)));
    }
    const ExternalSemaphore& before() { return *before_; }
    const ExternalSemaphore& after() { return *after_; }

    std::optional<ExternalSemaphore> before_, after_;
};

/// The peer has summed up what `executions` executions of `counting` have written.
std::vector<std::uint32_t> summed(std::uint32_t executions) {
    std::vector<std::uint32_t> words(kPeerWords);
    for (std::uint32_t i = 0; i < kPeerWords; ++i)
        words[i] = (i + 1) * (executions * (executions + 1) / 2);
    return words;
}

TEST_F(ExternalProcess, WordsGoToAnotherProcessAndBack) {
    Peer peer;
    const ExternalBuffer given = taken(ExternalBuffer::create(device(), kPeerBuffer));
    const ExternalBuffer made = meet(peer, given);
    Executor writer = executor_on(device(), counting(kPeerBuffer));
    Executor reader = executor_on(device(), copying(kPeerBuffer));
    ASSERT_TRUE(bind_import(writer, "words", given));
    ASSERT_TRUE(bind_import(reader, "words", made));
    for (std::uint32_t round = 1; round <= 3; ++round) {
        ASSERT_TRUE(execute(writer, {.resources = {&given}}));
        peer.run(Order::add);
        ASSERT_TRUE(execute(reader, {.resources = {&made}}));
        EXPECT_EQ(words(reader, "copy"), summed(round));
    }
    peer.tell(Order::end);
    EXPECT_EQ(peer.wait(), 0); // no message of its validation layer
}

TEST_F(ExternalProcess, SemaphoresOrderTheExecutionsOfTwoProcesses) {
    if (!external_caps(device()).binary_semaphores) GTEST_SKIP() << "it shares no semaphores";
    Peer peer;
    const ExternalBuffer given = taken(ExternalBuffer::create(device(), kPeerBuffer));
    const ExternalBuffer made = meet(peer, given);
    Executor writer = executor_on(device(), counting(kPeerBuffer));
    Executor reader = executor_on(device(), copying(kPeerBuffer));
    ASSERT_TRUE(bind_import(writer, "words", given));
    ASSERT_TRUE(bind_import(reader, "words", made));
    for (std::uint32_t round = 1; round <= 3; ++round) {
        ASSERT_TRUE(execute(writer, {.resources = {&given}, .signal = {{.semaphore = &before()}}}));
        peer.run(Order::wait); // its answer says that it has submitted, no more
        ASSERT_TRUE(execute(reader, {.resources = {&made}, .wait = {{.semaphore = &after()}}}));
        EXPECT_EQ(words(reader, "copy"), summed(round));
    }
    peer.tell(Order::end);
    EXPECT_EQ(peer.wait(), 0);
}

TEST_F(ExternalProcess, TheMemoryOfAProcessThatWasKilledStays) {
    Peer peer;
    const ExternalBuffer given = taken(ExternalBuffer::create(device(), kPeerBuffer));
    const ExternalBuffer made = meet(peer, given);
    Executor writer = executor_on(device(), counting(kPeerBuffer));
    Executor reader = executor_on(device(), copying(kPeerBuffer));
    ASSERT_TRUE(bind_import(writer, "words", given));
    ASSERT_TRUE(bind_import(reader, "words", made));
    ASSERT_TRUE(execute(writer, {.resources = {&given}}));
    peer.run(Order::add);
    peer.tell(Order::die);
    const int status = peer.wait();
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    ASSERT_TRUE(execute(reader, {.resources = {&made}}));
    EXPECT_EQ(words(reader, "copy"), summed(1));
    ASSERT_TRUE(execute(writer, {.resources = {&given}}));
}

TEST_F(ExternalProcess, AnotherProcessGoesOnWithMemoryThatItsMakerHasLeft) {
    Peer peer;
    std::optional<ExternalBuffer> made;
    {
        const ExternalBuffer given = taken(ExternalBuffer::create(device(), kPeerBuffer));
        made = meet(peer, given);
        Executor writer = executor_on(device(), counting(kPeerBuffer));
        ASSERT_TRUE(bind_import(writer, "words", given));
        ASSERT_TRUE(execute(writer, {.resources = {&given}}));
    }
    peer.run(Order::add);
    Executor reader = executor_on(device(), copying(kPeerBuffer));
    ASSERT_TRUE(bind_import(reader, "words", *made));
    ASSERT_TRUE(execute(reader, {.resources = {&*made}}));
    EXPECT_EQ(words(reader, "copy"), summed(1));
    peer.tell(Order::end);
    EXPECT_EQ(peer.wait(), 0);
}

} // namespace
} // namespace tuff::testing_gpu
