// Ranks as mpirun starts them: every rank runs these tests, in the same order.

#include "shared_pages.hpp"

#include <tuff/communicator.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tuff::test {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(std::string_view text) {
    Bytes bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

std::string text_of(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::unique_ptr<Communicator>& joined() {
    static std::unique_ptr<Communicator> ranks;
    return ranks;
}

class Ranks : public testing::Test {
  protected:
    Communicator& ranks = *joined();
    const std::int32_t rank = ranks.rank();
    const std::int32_t size = ranks.size();
};

/// Ranks that are lost are tried apart: nothing goes on after them.
class LostRanks : public Ranks {};
/// Rank 0 is the one that hears who lives.
class LostFirstRank : public Ranks {};

TEST_F(Ranks, know_each_other_by_host_and_place) {
    ASSERT_GE(size, 1);
    EXPECT_EQ(ranks.local_size(), size); // all on this machine
    EXPECT_EQ(ranks.local_rank(), rank);
    for (std::int32_t other = 0; other < size; ++other) {
        EXPECT_EQ(ranks.host(other), ranks.host(rank));
        EXPECT_FALSE(ranks.lost(other));
    }
    EXPECT_EQ(ranks.name(rank), "rank " + std::to_string(rank) + " on " + ranks.host(rank));
    EXPECT_NE(ranks.library(), "");
}

TEST_F(Ranks, pass_a_message_round_in_a_ring) {
    const std::int32_t next = (rank + 1) % size;
    const std::int32_t before = (rank + size - 1) % size;
    ASSERT_TRUE(ranks.send(next, 7, bytes_of("from " + std::to_string(rank))));
    const auto message = ranks.receive(before, 7);
    ASSERT_TRUE(message);
    EXPECT_EQ(message->envelope.from, before);
    EXPECT_EQ(message->envelope.tag, 7);
    EXPECT_EQ(text_of(message->bytes), "from " + std::to_string(before));
}

TEST_F(Ranks, keep_messages_with_other_tags_for_later_and_their_order) {
    ASSERT_TRUE(ranks.send(rank, 1, bytes_of("first")));
    ASSERT_TRUE(ranks.send(rank, 1, bytes_of("second")));
    ASSERT_TRUE(ranks.send(rank, 2, bytes_of("other")));
    EXPECT_EQ(text_of(ranks.receive(rank, 2)->bytes), "other");
    EXPECT_EQ(text_of(ranks.receive(rank, 1)->bytes), "first");
    EXPECT_EQ(text_of(ranks.receive(kAnyRank, kAnyTag)->bytes), "second");
    const auto more = ranks.probe(rank, kAnyTag);
    ASSERT_TRUE(more);
    EXPECT_FALSE(*more);
    ASSERT_TRUE(ranks.barrier()); // what others send in the next test is not for this one
}

TEST_F(Ranks, exchange_large_halos_at_once_in_both_directions) {
    constexpr std::size_t kBytes = std::size_t{1} << 21; // more than MPI sends without asking
    const std::int32_t next = (rank + 1) % size;
    const std::int32_t before = (rank + size - 1) % size;
    const Bytes own(kBytes, std::byte(rank + 1));
    Bytes from_next(kBytes);
    Bytes from_before(kBytes);
    auto receives = ranks.start_receive(next, 11, from_next);
    auto receives_too = ranks.start_receive(before, 12, from_before);
    auto sends = ranks.start_send(before, 11, own);
    auto sends_too = ranks.start_send(next, 12, own);
    for (auto* pending : {&receives, &receives_too, &sends, &sends_too}) {
        ASSERT_TRUE(*pending);
        EXPECT_TRUE((*pending)->wait());
        EXPECT_TRUE((*pending)->done().value_or(false));
    }
    EXPECT_THAT(from_next, testing::Each(std::byte(next + 1)));
    EXPECT_THAT(from_before, testing::Each(std::byte(before + 1)));
}

/// Exchanges with the next rank and the one before: two messages of the first half of `memory`, to
/// the second half. Every byte says who sent it in which round.
void exchange_pages(Communicator& ranks, LentMemory& memory, std::size_t size, int round) {
    const std::int32_t next = (ranks.rank() + 1) % ranks.size();
    const std::int32_t before = (ranks.rank() + ranks.size() - 1) % ranks.size();
    const auto sent_by = [&](std::int32_t rank, std::size_t which) {
        return Bytes(size, std::byte(static_cast<unsigned char>(16 * rank + 2 * (round % 8) +
                                                                static_cast<int>(which))));
    };
    const auto source = [&](std::size_t which) { return 40 + size * which; };
    const auto target = [&](std::size_t which) {
        return memory.bytes().size() / 2 + source(which);
    };
    std::vector<Result<PendingMessage>> pending;
    for (const std::size_t which : {0u, 1u})
        pending.push_back(
            ranks.start_receive(before, 21, memory.bytes().subspan(target(which), size)));
    for (const std::size_t which : {0u, 1u}) {
        ASSERT_TRUE(memory.write(source(which), sent_by(ranks.rank(), which)));
        pending.push_back(ranks.start_send(next, 21, memory.bytes().subspan(source(which), size)));
    }
    for (auto& message : pending) {
        ASSERT_TRUE(message);
        const auto done = message->wait();
        ASSERT_TRUE(done) << to_string(done.error());
    }
    for (const std::size_t which : {0u, 1u}) {
        Bytes got(size);
        ASSERT_TRUE(memory.read(target(which), got));
        EXPECT_EQ(got, sent_by(before, which)) << size << " bytes";
    }
}

constexpr std::size_t kPages = std::size_t{1} << 20;
using Kind = SharedPages::Kind;

TEST_F(Ranks, copy_out_of_memory_that_others_lend) {
    if (size == 1) GTEST_SKIP() << "nobody else";
    ASSERT_TRUE(ranks.lends());
    for (const Kind kind : {Kind::plain, Kind::hidden}) {
        const auto pages = std::make_shared<SharedPages>(kPages, kind);
        ranks.lend(pages);
        for (int round = 0; round < 5; ++round)
            for (const std::size_t bytes : {100'000u, 128u})
                exchange_pages(ranks, *pages, bytes, round);
        EXPECT_EQ(pages->opened, 1);
        EXPECT_EQ(pages->copies, 20);
        for (const std::size_t bytes : {127u, 64u, 63u, 24u, 1u}) // too small for it
            exchange_pages(ranks, *pages, bytes, 0);
        EXPECT_EQ(pages->copies, 20);
        ranks.take_back(*pages);
        if (kind == Kind::plain) exchange_pages(ranks, *pages, 4096, 1);
        EXPECT_EQ(pages->copies, 20);
    }
}

TEST_F(Ranks, send_what_others_cannot_open_or_have_not_lent_room_for) {
    if (size == 1) GTEST_SKIP() << "nobody else";
    const bool odd = rank % 2 == 1;
    for (const Kind kind : {Kind::plain, Kind::hidden}) {
        const auto pages = std::make_shared<SharedPages>(kPages, odd ? Kind::closed : kind);
        ranks.lend(pages);
        for (int round = 0; round < 3; ++round)
            exchange_pages(ranks, *pages, 200'000, round);
        EXPECT_EQ(pages->opened, 1); // one that stays closed is not tried again
        EXPECT_EQ(pages->copies, odd ? 0 : 6);
        ranks.take_back(*pages);
        const auto room = std::make_shared<SharedPages>(kPages, odd ? kind : Kind::plain);
        if (odd) ranks.lend(room);
        exchange_pages(ranks, *room, 200'000, 1);
        if (odd) ranks.take_back(*room);
        EXPECT_EQ(room->copies, 0); // the rank before has lent none
    }
}

TEST_F(Ranks, open_memory_again_that_is_lent_again) {
    if (size == 1) GTEST_SKIP() << "nobody else";
    for (int turn = 0; turn < 3; ++turn) {
        const auto first = std::make_shared<SharedPages>(kPages);
        const auto second = std::make_shared<SharedPages>(kPages);
        ranks.lend(first);
        ranks.lend(second);
        exchange_pages(ranks, *first, 70'000, turn);
        exchange_pages(ranks, *second, 80'000, turn + 1);
        EXPECT_EQ(first->copies, 2);
        EXPECT_EQ(second->copies, 2);
        ranks.take_back(*second);
        ranks.take_back(*first);
    }
}

TEST_F(Ranks, copy_lent_bytes_whatever_they_wait_for_first) {
    if (size == 1) GTEST_SKIP() << "nobody else";
    const std::int32_t next = (rank + 1) % size;
    const std::int32_t before = (rank + size - 1) % size;
    const auto pages = std::make_shared<SharedPages>(kPages);
    ranks.lend(pages);
    const auto room = pages->bytes().subspan(kPages / 2, 5000);
    for (const bool by_message : {false, true}) {
        const auto value = [&](std::int32_t of) { return std::byte(by_message ? 100 + of : of); };
        const auto own = pages->bytes().first(5000);
        std::ranges::fill(own, value(rank));
        auto receives = ranks.start_receive(before, 24, room);
        auto sends = ranks.start_send(next, 24, own);
        ASSERT_TRUE(receives);
        ASSERT_TRUE(sends);
        if (by_message) { // by a call that knows nothing of the two
            ASSERT_TRUE(ranks.start_send(next, 25, own.first(1))->wait());
            ASSERT_TRUE(ranks.receive(before, 25));
        }
        ASSERT_TRUE(sends->wait());
        ASSERT_TRUE(receives->wait());
        EXPECT_THAT(room, testing::Each(value(before)));
    }
    ranks.take_back(*pages);
}

TEST_F(Ranks, are_told_that_a_lent_message_has_another_size) {
    if (size == 1) GTEST_SKIP() << "nobody else";
    const auto pages = std::make_shared<SharedPages>(kPages);
    ranks.lend(pages);
    const std::int32_t next = (rank + 1) % size;
    const std::int32_t before = (rank + size - 1) % size;
    auto receives = ranks.start_receive(before, 22, pages->bytes().subspan(kPages / 2, 3000));
    auto sends = ranks.start_send(next, 22, pages->bytes().first(2000));
    ASSERT_TRUE(receives);
    ASSERT_TRUE(sends);
    const auto done = receives->wait();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().front().code, "mpi/failed");
    EXPECT_THAT(done.error().front().message, testing::HasSubstr("2000 bytes, not 3000"));
    EXPECT_TRUE(sends->wait());
    ranks.take_back(*pages);
}

TEST_F(Ranks, give_lent_bytes_back_that_nobody_waits_for) {
    if (size == 1) GTEST_SKIP() << "nobody else";
    const auto pages = std::make_shared<SharedPages>(kPages);
    ranks.lend(pages);
    const std::int32_t next = (rank + 1) % size;
    const std::int32_t before = (rank + size - 1) % size;
    auto sends = ranks.start_send(next, 23, pages->bytes().first(2000));
    {
        auto receives = ranks.start_receive(before, 23, pages->bytes().subspan(kPages / 2, 2000));
        ASSERT_TRUE(receives);
        ASSERT_TRUE(ranks.barrier()); // the notice has come
    }
    ASSERT_TRUE(sends);
    EXPECT_TRUE(sends->wait());
    ranks.take_back(*pages);
}

TEST_F(Ranks, are_told_that_a_message_has_another_size) {
    ASSERT_TRUE(ranks.send(rank, 3, bytes_of("four")));
    Bytes room(8);
    auto receives = ranks.start_receive(rank, 3, room);
    ASSERT_TRUE(receives);
    const auto done = receives->wait();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().front().code, "mpi/failed");
    EXPECT_THAT(done.error().front().message, testing::HasSubstr("4 bytes, not 8"));
}

TEST_F(Ranks, refuse_ranks_and_tags_that_there_are_not) {
    EXPECT_FALSE(ranks.send(size, 0, {}));
    EXPECT_FALSE(ranks.send(0, kMaxTag + 1, {}));
    EXPECT_FALSE(ranks.receive(-2, 0));
}

TEST_F(Ranks, combine_numbers_and_hand_them_to_all) {
    std::vector<double> sums = {1.0, static_cast<double>(rank)};
    ASSERT_TRUE(ranks.all_reduce(sums, Reduction::sum));
    EXPECT_THAT(sums, testing::ElementsAre(size, size * (size - 1) / 2));
    std::vector<std::int64_t> least = {rank, -rank};
    ASSERT_TRUE(ranks.all_reduce(least, Reduction::min));
    EXPECT_THAT(least, testing::ElementsAre(0, 1 - size));
    std::vector<std::int64_t> most = {rank, -rank};
    ASSERT_TRUE(ranks.all_reduce(most, Reduction::max));
    EXPECT_THAT(most, testing::ElementsAre(size - 1, 0));
}

TEST_F(Ranks, broadcast_from_the_last_and_gather_at_it_bytes_of_any_length) {
    const std::int32_t last = size - 1;
    Bytes bytes = rank == last ? bytes_of("from the last") : bytes_of("else");
    ASSERT_TRUE(ranks.broadcast(bytes, last));
    EXPECT_EQ(text_of(bytes), "from the last");
    const auto parts =
        ranks.gather(bytes_of(std::string(static_cast<std::size_t>(rank), 'x')), last);
    ASSERT_TRUE(parts);
    ASSERT_EQ(parts->size(), rank == last ? static_cast<std::size_t>(size) : 0u);
    for (std::size_t i = 0; i < parts->size(); ++i)
        EXPECT_EQ((*parts)[i].size(), i);
    EXPECT_TRUE(ranks.barrier());
}

TEST_F(LostRanks, are_named_to_whoever_waits_for_them) {
    ASSERT_GE(size, 3);
    if (rank == 1) kill(getpid(), SIGKILL);
    const auto message = ranks.receive(1, 5);
    ASSERT_FALSE(message);
    EXPECT_EQ(message.error().front().code, "mpi/lost-rank");
    EXPECT_THAT(message.error().front().message, testing::HasSubstr(ranks.name(1)));
    EXPECT_TRUE(ranks.lost(1));
    const auto all = ranks.barrier();
    ASSERT_FALSE(all);
    EXPECT_THAT(all.error().front().message, testing::HasSubstr(ranks.name(1)));
    // Those that are left go on without.
    const std::int32_t other = rank == 0 ? 2 : 0;
    if (rank > 2) return;
    ASSERT_TRUE(ranks.send(other, 6, bytes_of("still here")));
    const auto answer = ranks.receive(other, 6);
    ASSERT_TRUE(answer);
    EXPECT_EQ(text_of(answer->bytes), "still here");
}

// Whether the other one lives nobody can tell any more.
TEST_F(LostFirstRank, ends_what_waits_for_another_one) {
    ASSERT_GE(size, 3);
    if (rank == 0) kill(getpid(), SIGKILL);
    if (rank > 2) return;
    const auto is_named = [&](const Diagnostics& problems) {
        EXPECT_EQ(problems.front().code, "mpi/lost-rank");
        EXPECT_THAT(problems.front().message, testing::HasSubstr(ranks.name(0)));
    };
    const std::int32_t other = 3 - rank; // which sends nothing
    Bytes room(100);
    auto pending = ranks.start_receive(other, 5, room);
    ASSERT_TRUE(pending);
    const auto come = pending->wait();
    ASSERT_FALSE(come);
    is_named(come.error());
    for (const std::int32_t from : {other, kAnyRank}) {
        const auto message = ranks.receive(from, 6);
        ASSERT_FALSE(message);
        is_named(message.error());
    }
}

} // namespace
} // namespace tuff::test

int main(int argc, char** argv) {
    testing::InitGoogleMock(&argc, argv);
    auto ranks = tuff::Communicator::join({.timeout = std::chrono::seconds(argc > 1 ? 2 : 20)});
    if (!ranks) {
        std::fputs(tuff::to_string(ranks.error()).c_str(), stderr);
        return 1;
    }
    tuff::test::joined() = std::move(*ranks);
    const int code = RUN_ALL_TESTS();
    tuff::test::joined().reset();
    return code;
}
