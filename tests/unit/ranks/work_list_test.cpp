// Who makes which run, what ranks agree on, and which device each takes.

#include "apps/shared/rank_device.hpp"
#include "apps/tuff/ranks/rank_clock.hpp"
#include "apps/tuff/ranks/rank_messages.hpp"
#include "apps/tuff/ranks/work_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tuff::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(WorkList, hands_out_each_run_once_and_ends_when_all_are_made) {
    WorkList list(3);
    EXPECT_EQ(list.next(0), 0u);
    EXPECT_EQ(list.next(1), 1u);
    EXPECT_TRUE(list.finish(1, 1));
    EXPECT_EQ(list.next(1), 2u);
    EXPECT_EQ(list.next(2), std::nullopt);
    EXPECT_TRUE(list.finish(0, 0));
    EXPECT_FALSE(list.ended());
    EXPECT_TRUE(list.finish(2, 1));
    EXPECT_TRUE(list.ended());
    EXPECT_EQ(list.finished(), 3u);
}

TEST(WorkList, hands_out_the_run_of_a_lost_rank_first_and_remembers_who_lost_it) {
    WorkList list(3);
    EXPECT_EQ(list.next(1), 0u);
    EXPECT_EQ(list.give_up(1, GaveUp::rank_lost), 0u);
    EXPECT_EQ(list.next(2), 0u);
    EXPECT_THAT(list.attempts(0), ElementsAre(Attempt{1, GaveUp::rank_lost}));
    EXPECT_EQ(list.give_up(3, GaveUp::rank_lost), std::nullopt); // had nothing
}

TEST(WorkList, takes_a_run_of_a_rank_that_was_given_up_too_early_but_once) {
    WorkList list(1);
    EXPECT_EQ(list.next(1), 0u);
    EXPECT_EQ(list.give_up(1, GaveUp::rank_lost), 0u);
    EXPECT_TRUE(list.finish(0, 1));
    EXPECT_EQ(list.next(2), std::nullopt);
    EXPECT_FALSE(list.finish(0, 2));
    EXPECT_TRUE(list.ended());
}

TEST(WorkList, does_not_lose_all_ranks_to_one_run) {
    WorkList list(2);
    for (const std::int32_t rank : {1, 2, 3}) {
        EXPECT_EQ(list.next(rank), 0u);
        EXPECT_EQ(list.hopeless(), std::nullopt);
        (void)list.give_up(rank, rank == 2 ? GaveUp::device_lost : GaveUp::rank_lost);
    }
    EXPECT_EQ(list.hopeless(), 0u);
    EXPECT_EQ(list.next(4), std::nullopt);
    EXPECT_TRUE(list.ended());
}

TEST(WorkList, hands_out_nothing_after_a_failure_and_waits_for_what_is_under_way) {
    WorkList list(4);
    (void)list.next(0);
    (void)list.next(1);
    list.fail(1);
    EXPECT_EQ(list.next(1), std::nullopt);
    EXPECT_FALSE(list.ended());
    EXPECT_TRUE(list.finish(0, 0));
    EXPECT_TRUE(list.ended());
}

std::vector<DeviceReport> devices_of(const std::vector<DeviceType>& types) {
    std::vector<DeviceReport> reports;
    for (const DeviceType type : types) {
        DeviceReport& report = reports.emplace_back();
        report.index = static_cast<std::uint32_t>(reports.size() - 1);
        report.caps.type = type;
        report.tier = DeviceTier::core;
    }
    return reports;
}

TEST(DeviceOfRank, takes_the_gpus_of_the_best_kind_in_turn) {
    using enum DeviceType;
    const auto host = devices_of({integrated, discrete, cpu, discrete});
    EXPECT_EQ(device_of_rank("auto", host, 0), "1");
    EXPECT_EQ(device_of_rank("auto", host, 1), "3");
    EXPECT_EQ(device_of_rank("gpu", host, 2), "1");
}

TEST(DeviceOfRank, leaves_out_gpus_that_cannot_be_used) {
    auto host = devices_of({DeviceType::discrete, DeviceType::discrete});
    host[0].tier = DeviceTier::none;
    EXPECT_EQ(device_of_rank("auto", host, 0), "1");
    EXPECT_EQ(device_of_rank("auto", host, 1), "1");
}

TEST(DeviceOfRank, is_the_one_that_was_named_or_the_software_device_for_all) {
    const auto host = devices_of({DeviceType::discrete, DeviceType::discrete});
    EXPECT_EQ(device_of_rank("0", host, 1), "0");
    EXPECT_EQ(device_of_rank("lavapipe", host, 1), "lavapipe");
    EXPECT_EQ(device_of_rank("auto", devices_of({DeviceType::cpu, DeviceType::cpu}), 1), "auto");
}

TEST(DeviceOfRank, is_chosen_by_the_environment_where_nothing_was_named) {
    const auto host = devices_of({DeviceType::discrete, DeviceType::discrete});
    const char* const former = std::getenv("TUFF_DEVICE");
    const std::string kept = former ? former : "";
    setenv("TUFF_DEVICE", "gpu", 1);
    EXPECT_EQ(device_of_rank("", host, 1), "1");
    setenv("TUFF_DEVICE", "swiftshader", 1);
    EXPECT_EQ(device_of_rank("", host, 1), "swiftshader");
    unsetenv("TUFF_DEVICE");
    EXPECT_EQ(device_of_rank("", host, 1), "1");
    if (former) setenv("TUFF_DEVICE", kept.c_str(), 1);
}

const Statement kStatement{.version = "1.0.0",
                           .config = "abc",
                           .options = "--frames 3",
                           .precision = "floats of 32 bits",
                           .device = "GPU (driver 1)",
                           .problems = {},
                           .exit_code = 0};
const std::vector<std::string> kNames = {"rank 0 on a", "rank 1 on b"};

TEST(RankStatements, that_are_alike_are_fine) {
    EXPECT_THAT(compare({kStatement, kStatement}, kNames), IsEmpty());
}

TEST(RankStatements, that_differ_are_refused_by_what_differs) {
    for (const auto& [field, word] :
         {std::pair{&Statement::version, "version"}, std::pair{&Statement::config, "config"},
          std::pair{&Statement::options, "command line"},
          std::pair{&Statement::precision, "precision"}}) {
        Statement other = kStatement;
        other.*field = "else";
        const Diagnostics found = compare({kStatement, other}, kNames);
        ASSERT_EQ(found.size(), 1u);
        EXPECT_EQ(found[0].code, "mpi/disagreement");
        EXPECT_EQ(found[0].severity, Severity::error);
        EXPECT_THAT(found[0].message,
                    testing::StartsWith("rank 1 on b has another " + std::string(word)));
    }
}

TEST(RankStatements, of_another_device_are_a_warning) {
    Statement other = kStatement;
    other.device = "GPU (driver 2)";
    const Diagnostics found = compare({kStatement, other}, kNames);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].code, "mpi/other-device");
    EXPECT_EQ(found[0].severity, Severity::warning);
    EXPECT_THAT(found[0].message, HasSubstr("rank 1 on b runs on GPU (driver 2)"));
}

TEST(RankStatements, hand_on_why_a_rank_cannot_begin_with_its_name) {
    Statement other = kStatement;
    other.problems = {{.code = "device/unknown", .message = "no device", .hint = "find one"}};
    const Diagnostics found = compare({kStatement, statement_of(to_bytes(other)), other},
                                      {"rank 0 on a", "rank 1 on b", "rank 2 on c"});
    ASSERT_EQ(found.size(), 1u); // the same of both
    EXPECT_EQ(found[0].code, "device/unknown");
    EXPECT_EQ(found[0].message, "no device (rank 1 on b)");
    EXPECT_EQ(found[0].hint, "find one");
}

TEST(RankClocks, are_mapped_evenly_between_two_readings) {
    EXPECT_EQ(RankClock().on_first(123.0), 123.0);
    EXPECT_EQ(RankClock().error(), 0.0);
    // Ahead by 100 at first and by 140 in the end.
    const RankClock clock({.at = 1000, .ahead = 100, .error = 3},
                          {.at = 2000, .ahead = 140, .error = 5});
    EXPECT_EQ(clock.on_first(1000), 900.0);
    EXPECT_EQ(clock.on_first(1500), 1380.0);
    EXPECT_EQ(clock.on_first(2000), 1860.0);
    EXPECT_EQ(clock.error(), 5.0);
}

TEST(RankMessages, arrive_as_they_were_sent) {
    Report report{.kind = Report::Kind::failed, .run = 7, .exit_code = 2};
    report.entry["seconds"] = 0.1;
    report.warnings = {
        {.code = "a/b",
         .severity = Severity::warning,
         .message = "ü\n",
         .where = {.file = "f", .line = 2, .column = 3, .length = 4, .line_text = "line"},
         .hint = ""}};
    const Report came = report_of(to_bytes(report));
    EXPECT_EQ(came.kind, report.kind);
    EXPECT_EQ(came.run, 7u);
    EXPECT_EQ(came.exit_code, 2);
    EXPECT_EQ(came.entry, report.entry);
    EXPECT_EQ(to_string(came.warnings), to_string(report.warnings));
    const Order order =
        order_of(to_bytes(Order{.run = 3, .number = 9, .frames = {5, 8}, .is_part = true}));
    EXPECT_FALSE(order.stop);
    EXPECT_EQ(order.run, 3u);
    EXPECT_EQ(order.number, 9u);
    EXPECT_EQ(order.frames, (FrameRange{5, 8}));
    EXPECT_TRUE(order.is_part);
}

} // namespace
} // namespace tuff::cli
